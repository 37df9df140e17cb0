import { afterAll, vi } from 'vitest';

type Request = { hostname: string; port?: number };
type Client = { config: { requestHandler: { handle: unknown } } };

/** Sends all requests of an AWS client to another server, until the tests of the file end. */
export function redirect({ config }: Client, url: string): void {
  const { hostname, port } = new URL(url);
  const handler = config.requestHandler as { handle: (request: Request, options: object) => unknown };
  const handle = handler.handle.bind(handler);
  const spy = vi
    .spyOn(handler, 'handle')
    .mockImplementation((request, options) =>
      handle(Object.assign(request, { hostname, port: Number(port) }), options),
    );
  afterAll(() => spy.mockRestore());
}
