import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { Problem } from '../../common/problem.ts';

const reasons: Record<string, (port: number) => string> = {
  EADDRINUSE: (port) => `Port ${port} is in use. Stop the program that uses it, or choose`,
  EACCES: (port) => `You don't have permission to use port ${port}. Choose`,
};

/** Throws a Problem if the port is in use or not permitted. */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason ? new Problem(`${reason(port)} another port: PORT=3001 npm start`) : error;
  }
}

/** Throws if the port is in use, before the stage starts its other services. */
export async function checkPortIsFree(port: number): Promise<void> {
  const server = createServer();
  await listen(server, port);
  await new Promise((closed) => server.close(closed));
}
