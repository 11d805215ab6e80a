import type { StreamReply } from './handler.ts'

/** A CSV file to save, sent while it is read. */
export const csvReply = (name: string, parts: AsyncIterable<string> | Iterable<string>): StreamReply => ({
  status: 200,
  stream: partsOf(parts),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
})

async function* partsOf(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield* parts
}

/**
 * What a function writes, as a stream: it waits until each part is read, and its next write fails once nobody reads any
 * more.
 */
export function writtenStream(run: (write: (text: string) => Promise<void>) => Promise<void>): AsyncIterable<string> {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const write = async (text: string) => {
    await writer.ready
    await writer.write(text)
  }
  run(write)
    .then(() => writer.close())
    .catch((error: unknown) => writer.abort(error).catch(() => undefined))
  return readable
}
