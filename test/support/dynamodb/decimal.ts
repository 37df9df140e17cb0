/** Calculates with DynamoDB's numbers: decimals of up to 38 digits, stored without exponent or trailing zeros. */
import { validation } from './validation.ts';

const plain = /^(?:0|-?[1-9]\d{0,14})$/;
const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Converts a request's number to the stored form. Throws a ValidationException if the number is invalid. */
export function readNumber(text: unknown): string {
  if (typeof text !== 'string') throw validation('A number has to be given as text');
  if (plain.test(text)) return text;
  const [match, sign, whole = '', fraction = '', exponent = '0'] = written.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') {
    throw validation('A value provided cannot be converted into a number');
  }
  return textOf(sign === '-', whole + fraction, Number(exponent) - fraction.length);
}

/** Formats `allDigits` × 10^`lastExponent` in the stored form. Throws a ValidationException if out of range. */
function textOf(negative: boolean, allDigits: string, lastExponent: number): string {
  const fromFirst = allDigits.replace(/^0+/, '');
  const digits = fromFirst.replace(/0+$/, '');
  if (digits === '') return '0';
  const exponent = lastExponent + fromFirst.length - digits.length;
  const order = digits.length + exponent;
  if (digits.length > 38) throw validation('DynamoDB only supports precision up to 38 digits');
  if (order > 126) {
    throw validation(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (order < -129) {
    throw validation(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  const sign = negative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  if (order > 0) return `${sign}${digits.slice(0, order)}.${digits.slice(order)}`;
  return `${sign}0.${'0'.repeat(-order)}${digits}`;
}

/** Compares two stored numbers: negative if `a` is smaller, positive if `a` is greater, otherwise zero. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  // Compares as floating-point numbers, which keep the order of numbers with up to 15 digits.
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b);
  const [left, right] = aligned(a, b);
  return left < right ? -1 : 1;
}

/** Adds or subtracts two stored numbers. Throws a ValidationException if the result is out of range. */
export function addNumbers(a: string, b: string, operator: '+' | '-' = '+'): string {
  const [left, right, scale] = aligned(a, b);
  const sum = operator === '+' ? left + right : left - right;
  return textOf(sum < 0n, String(sum < 0n ? -sum : sum), -scale);
}

/** Converts two stored numbers to integers by moving both decimal points `scale` places to the right. */
function aligned(a: string, b: string): [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(fractionOf(a).length, fractionOf(b).length);
  const units = (text: string) => {
    const fraction = fractionOf(text);
    const whole = fraction === '' ? text : text.slice(0, text.indexOf('.'));
    return BigInt(whole + fraction.padEnd(scale, '0'));
  };
  return [units(a), units(b), scale];
}

function fractionOf(text: string): string {
  const point = text.indexOf('.');
  return point === -1 ? '' : text.slice(point + 1);
}

/** Returns a number's size by AWS's rules: one byte, one per two digits, and one for a minus sign. */
export function numberSize(text: string): number {
  if (text === '0') return 1;
  const negative = text.startsWith('-') ? 1 : 0;
  const fraction = fractionOf(text);
  const whole = text.slice(negative, fraction === '' ? undefined : text.indexOf('.'));
  const pairs = (whole.length % 2 ? '0' : '') + whole + fraction + (fraction.length % 2 ? '0' : '');
  return 1 + negative + pairs.replace(/^(?:00)+/, '').replace(/(?:00)+$/, '').length / 2;
}
