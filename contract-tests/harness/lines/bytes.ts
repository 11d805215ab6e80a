/** From this many equal bytes on, the line writes their number instead. */
const RUN_MIN = 100

/** A command for `sh` that prints the bytes. @param hide removes secrets from the escaped text */
export function printing(pieces: readonly Buffer[], pauseMs: number | undefined, hide: (escaped: string) => string) {
  const commands = pieces.flatMap((piece, index) => [
    ...(index > 0 && pauseMs !== undefined ? [`sleep ${pauseMs / 1000}`] : []),
    ...runsOf(piece).map((run) => commandOf(run, hide)),
  ])
  return commands.length === 1 ? commands.join('') : `{ ${commands.join('; ')}; }`
}

/** Bytes as `printf` escapes them inside single quotes. */
export const escapedBytes = (bytes: Buffer): string => [...bytes].map(escapedByte).join('')

interface Run {
  readonly bytes: Buffer
  readonly isOneByte: boolean
}

/** Splits bytes into long runs of one byte and the text between them. */
function runsOf(bytes: Buffer): Run[] {
  const runs: Run[] = []
  let [from, at] = [0, 0]
  const take = (to: number, isOneByte: boolean): void => {
    if (to > from) runs.push({ bytes: bytes.subarray(from, to), isOneByte })
    from = to
  }
  while (at < bytes.length) {
    let end = at + 1
    while (end < bytes.length && bytes[end] === bytes[at]) end += 1
    if (end - at >= RUN_MIN) {
      take(at, false)
      take(end, true)
    }
    at = end
  }
  take(bytes.length, false)
  return runs
}

const commandOf = ({ bytes, isOneByte }: Run, hide: (escaped: string) => string): string =>
  isOneByte
    ? `head -c ${bytes.length} /dev/zero | tr '\\0' '${escapedBytes(bytes.subarray(0, 1))}'`
    : `printf '${hide(escapedBytes(bytes))}'`

function escapedByte(byte: number): string {
  if (byte === 0x0d) return '\\r'
  if (byte === 0x0a) return '\\n'
  if (byte === 0x25) return '%%'
  return byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
    ? String.fromCharCode(byte)
    : `\\${byte.toString(8).padStart(3, '0')}`
}
