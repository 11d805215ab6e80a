import { refuseOtherFiles } from './other-files.ts'
import { followed, UnreadableStatement } from './reading.ts'
import type { Encoding } from './format.ts'

/** The encoding of a file, and what declares it. */
interface EncodingChoice {
  readonly encoding: string
  /** Follows "is not in utf-8 at or after line 3". */
  readonly why: string
}

/** Long enough for the first line of an XML file, and for the signatures of other file types. */
const HEAD_BYTES = 1024

/**
 * Decodes a file without its byte order mark: in the encoding of the mark or of an XML file's first line, else in that
 * of the setting.
 * @throws UnreadableStatement for a file that is not text, or not in that encoding
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, setting: Encoding): AsyncGenerator<string> {
  const parts = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < HEAD_BYTES) {
    const next = await parts.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  refuseOtherFiles(head.subarray(0, HEAD_BYTES))
  const { encoding, why } = encodingOf(head.subarray(0, HEAD_BYTES), setting)
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 1
  const decode = (part?: Uint8Array): string => {
    let text: string
    try {
      text = part ? decoder.decode(part, { stream: true }) : decoder.decode()
    } catch (error) {
      throw new UnreadableStatement(`is not in ${encoding} at or after line ${lines} (${why})`, undefined, error)
    }
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
    if (text.includes('\0'))
      throw new UnreadableStatement(
        `has characters without a meaning at or before line ${lines}: it is not in ${encoding} (${why})`,
      )
    return text
  }
  for await (const part of followed<Uint8Array>(head, parts)) {
    const text = decode(part)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

const MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const
/** A `<` without a byte order mark before it. */
const FIRST_SIGNS = [
  ['utf-16le', [0x3c, 0x00]],
  ['utf-16be', [0x00, 0x3c]],
] as const

type Starts = readonly (readonly [string, readonly number[]])[]
const startOf = (head: Uint8Array, starts: Starts): string | undefined =>
  starts.find(([, start]) => start.every((byte, at) => head[at] === byte))?.[0]

function encodingOf(head: Uint8Array, setting: Encoding): EncodingChoice {
  const mark = startOf(head, MARKS)
  const evident = mark ?? startOf(head, FIRST_SIGNS)
  const start = new TextDecoder(evident ?? 'windows-1252').decode(head).trimStart()
  if (!start.startsWith('<'))
    return mark === undefined
      ? { encoding: setting, why: 'statement_encoding' }
      : { encoding: mark, why: 'its byte order mark' }
  const [, label] = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(start) ?? []
  if (label === undefined) return { encoding: evident ?? 'utf-8', why: 'XML that names no encoding' }
  return ofLabel(label.trim(), evident)
}

function ofLabel(label: string, evident: string | undefined): EncodingChoice {
  const why = 'its first line'
  const encoding = known(label)
  if (encoding === undefined)
    throw new UnreadableStatement(`names an encoding that is not known: ${label.slice(0, 40)}`, 1)
  const isWide = encoding.startsWith('utf-16')
  const contradicts = isWide
    ? evident?.startsWith('utf-16') !== true
    : evident !== undefined && evident !== encoding && !(isAscii(label) && evident === 'utf-8')
  if (contradicts)
    throw new UnreadableStatement(`says that it is in ${label.slice(0, 40)}, and it is in another encoding`, 1)
  if (isWide) return { encoding: evident ?? encoding, why }
  return { encoding: isAscii(label) ? 'utf-8' : encoding, why }
}

/** ASCII is a subset of utf-8, and characters outside of ASCII should be detected. */
const isAscii = (label: string): boolean => /^(?:us-?)?ascii$/i.test(label)

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
