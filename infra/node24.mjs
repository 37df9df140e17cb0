// `node infra/node24.mjs <script> [arguments]` runs a script on Node 24. This file is JavaScript, because old Node
// versions cannot run TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
// Keeps compiled code, which halves the time until a command starts. Child processes inherit the variable. Deleting
// `.build` empties the cache.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.build/compiled', import.meta.url));

if (process.env.npm_lifecycle_event) endWithNpm();

if (!existsSync(modules)) stop('The packages are not installed. Run: npm ci');
else if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv.splice(1, 1);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stopIfClosed);
  await import(pathToFileURL(resolve(process.argv[1])).href);
} else runOn(installedNode());

/** Returns the path of this platform's Node 24 binary in node_modules. */
function installedNode() {
  const { platform, arch, versions } = process;
  const folders = [`node-${platform === 'win32' ? 'win' : platform}-${arch}`, `node-bin-${platform}-${arch}`];
  // Does not use node_modules/.bin/node, because npm 10 deletes that file.
  const paths = folders.map((folder) =>
    join(modules, folder, 'bin', platform === 'win32' ? 'node.exe' : 'node'),
  );
  return (
    paths.find(existsSync) ??
    stop(
      `This is Node ${versions.node}, and no package provides Node 24 for ${platform} on ${arch}. Install Node 24.`,
    )
  );
}

function runOn(node) {
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env: { ...process.env, PATH } });
  // Ignores Ctrl-C: the terminal also sends it to the script, which decides how to stop.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => stop(error.message));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** After `kill` of npm, which ends the shell between them, ends this process like Ctrl-C. */
function endWithNpm() {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

/** Ends the script without a message if the reader of its output, such as `head`, has closed the pipe. */
function stopIfClosed(error) {
  if (error.code !== 'EPIPE') throw error;
  // 141 is the exit code of a program that the signal SIGPIPE has ended.
  process.exit(process.exitCode ?? 141);
}

function stop(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}
