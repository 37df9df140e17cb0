import { runCommand } from '../../infra/operate/admin/cli.ts';

/** Runs an operator's command on the tests' local stage. `json` is the command's parsed output, if it printed any. */
export async function admin(...args: string[]) {
  const texts = { out: '', error: '' };
  const code = await runCommand([...args, '--stage', 'local'], {
    out: (text) => {
      texts.out += text;
    },
    error: (text) => {
      texts.error += text;
    },
  });
  return { code, ...texts, json: texts.out && code < 2 ? JSON.parse(texts.out) : undefined };
}
