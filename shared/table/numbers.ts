/** Reads stored numbers. DynamoDB keeps 38 decimal digits, more than a JavaScript number can hold. */
import { NumberValueImpl } from '@aws-sdk/util-dynamodb';

/**
 * Returns a stored number as a JavaScript number if the values are equal. Otherwise returns an object with all digits,
 * which no seal covers.
 */
export function numberIn(text: string): number | NumberValueImpl {
  const number = Number(text);
  const isExact = text === `${number}` || decimalOf(text) === decimalOf(`${number}`);
  return isExact ? number : NumberValueImpl.from(text);
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Returns the significant digits and the exponent of a decimal number. Equal numbers give equal texts. */
function decimalOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length;
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) - fraction.length + zeros}`;
}
