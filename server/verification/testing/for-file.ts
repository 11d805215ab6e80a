import { afterAll } from 'vitest'

/** Anything that can be closed, by whichever method it has for that. */
type Closable =
  { close(): unknown } | { stop(): unknown } | { end(): unknown } | { drop(): unknown } | { remove(): unknown }

/** As long as a hook may take: a start that hangs must fail the file that waits for it. */
const OPENING_MS_MAX = 180_000

/**
 * A resource that all tests of a file use, opened where it is declared and closed after the last of them, in reverse
 * order. Awaited at the top of the file: it is a constant there, and no test sees it half made.
 *
 * @throws Error when it was not ready within three minutes, or within `withinMs`
 */
export async function forFile<Opened extends Closable>(
  opening: Promise<Opened>,
  { withinMs = OPENING_MS_MAX }: { readonly withinMs?: number } = {},
): Promise<Opened> {
  const opened = await inTime(opening, withinMs)
  afterAll(async () => {
    await close(opened)
  })
  return opened
}

function close(opened: Closable): unknown {
  if ('close' in opened) return opened.close()
  if ('stop' in opened) return opened.stop()
  if ('end' in opened) return opened.end()
  if ('drop' in opened) return opened.drop()
  return opened.remove()
}

async function inTime<Value>(opening: Promise<Value>, withinMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`what the file needs was not there within ${withinMs} ms`)), withinMs)
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}
