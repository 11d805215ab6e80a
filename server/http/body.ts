import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { RequestFault } from './failures.ts'
import { scanJson } from '../domain/json-text.ts'

/** How much of a body is read, and how many names it may have. */
export interface BodyBounds {
  readonly bytesMax: number
  readonly namesMax: number
}

/** Far above any request of the contract, far below a harmful size. */
export const BODY_MAX_BYTES = 65_536
/** A batch: 1,000 payouts of at most 11 names each, and its own. */
export const BATCH_BOUNDS: BodyBounds = { bytesMax: 1_048_576, namesMax: 11_002 }

/** @throws RequestFault 415 unless the body is declared as JSON */
export function checkMediaType({
  'content-type': contentType,
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): void {
  if (encoding !== 'identity')
    throw new RequestFault(415, 'Content-Encoding must be absent: the body is read as it comes')
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (mediaType !== 'application/json' || (charset && !/^charset="?utf-8"?$/.test(charset)))
    throw new RequestFault(415, 'Content-Type must be application/json')
}

interface JsonObject {
  readonly value: object
  /** The body's numbers as they were written: JSON.parse rounds them. */
  readonly numbers: NumberTexts
  readonly text: string
}

/**
 * Reads and parses the body.
 * @param isDeclared whether the contract has a field with this dotted name for this operation
 * @throws RequestFault 413 when it is too large; 400 when it is missing, not JSON, not a JSON object, or has a
 *   duplicate name
 */
export async function readJsonObject(
  message: IncomingMessage,
  isDeclared: (name: string) => boolean,
  bounds: BodyBounds = USUAL_BOUNDS,
): Promise<JsonObject> {
  const bytes = await readBytes(message, bounds.bytesMax)
  if (bytes.length === 0) throw new RequestFault(400, 'The request body is required', undefined, 'missing_field')
  const { value, numbers, text } = parse(bytes, isDeclared, bounds.namesMax)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notJson('The request body must be a JSON object')
  return { value, numbers, text }
}

function parse(
  bytes: Buffer,
  isDeclared: (name: string) => boolean,
  namesMax: number,
): { readonly value: unknown; readonly numbers: NumberTexts; readonly text: string } {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8')
    const text = bytes.toString('utf8')
    const numbers = readNamesAndNumbers(text, isDeclared, namesMax)
    return { value: refuseLoneSurrogates(text, JSON.parse(text)), numbers, text }
  } catch (error) {
    if (error instanceof RequestFault) throw error
    // The parser's own message gives positions in the text, which help nobody, and repeats what was sent.
    throw notJson('The request body is not valid JSON')
  }
}

async function readBytes(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const bytes = await readCapped(message, bytesMax)
  if (bytes === 'too_large')
    throw new RequestFault(413, `The request body is larger than ${bytesMax} bytes`, { connection: 'close' })
  if (bytes === 'incomplete') throw notJson('The request body is incomplete')
  return bytes
}

/**
 * `"\ud800"` is valid JSON but not valid Unicode text. It cannot be stored, so it is rejected instead of
 * silently changed.
 */
function refuseLoneSurrogates(text: string, value: unknown): unknown {
  if (/\\u[dD][89a-fA-F]/.test(text)) JSON.stringify(value, assertWellFormed)
  return value
}

function assertWellFormed(key: string, part: unknown): unknown {
  if (!key.isWellFormed() || (typeof part === 'string' && !part.isWellFormed())) throw new SyntaxError('lone surrogate')
  return part
}

/**
 * Many times what any request of the contract has. A body with more has undeclared fields and is not read any further:
 * `JSON.parse` takes 1.4 ms for 4,000 names in one object.
 */
export const NAMES_MAX = 100
const USUAL_BOUNDS: BodyBounds = { bytesMax: BODY_MAX_BYTES, namesMax: NAMES_MAX }
/** Many times what any request of the contract has; `JSON.parse` takes 6 ms for 32,000 nested lists. */
const DEPTH_MAX = 32

/** The numbers of the outermost object, digit for digit, by name. */
export type NumberTexts = ReadonlyMap<string, string>

/**
 * Reads from a request's JSON text what `JSON.parse` discards: duplicate names, and the digits of numbers. Whether the
 * text is valid JSON is left to `JSON.parse`.
 * @param isDeclared whether the contract has a field with this dotted name for this operation
 * @throws RequestFault 400 naming the duplicate; or, with more than namesMax names or deeper than DEPTH_MAX,
 *   naming the first undeclared name, whatever else is wrong
 */
export function readNamesAndNumbers(
  text: string,
  isDeclared: (name: string) => boolean,
  namesMax = NAMES_MAX,
): NumberTexts {
  const numbers = new Map<string, string>()
  const seen: string[] = []
  scanJson(text, {
    onOpen(depth) {
      if (depth > DEPTH_MAX) throw tooMuch(seen, isDeclared)
    },
    onName(path, isRepeated) {
      if (isRepeated) throw new RequestFault(400, `${path} must be given once`, undefined, 'repeated_field')
      seen.push(path)
      if (seen.length > namesMax) throw tooMuch(seen, isDeclared)
    },
    onNumber: (name, digits) => void numbers.set(name, digits),
  })
  return numbers
}

const notJson = (message: string): RequestFault => new RequestFault(400, message, undefined, 'invalid_json')

function tooMuch(seen: readonly string[], isDeclared: (name: string) => boolean): RequestFault {
  const unknown = seen.find((path) => !isDeclared(path)) ?? seen.at(-1)
  return unknown === undefined
    ? notJson('The request body must be a JSON object')
    : new RequestFault(400, `${unknown} is not allowed`, undefined, 'unknown_field')
}

/** The bytes of a body; `too_large` above the limit, `incomplete` when it is cut off. */
export type CappedBody = Buffer | 'too_large' | 'incomplete'

/**
 * Reads a body up to this size. Never rejects. The rest of a body that is too large is not read: the caller that
 * refuses it also closes the connection.
 */
export function readCapped(message: IncomingMessage, bytesMax: number): Promise<CappedBody> {
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bytesMax) {
        message.removeAllListeners('data').pause()
        resolve('too_large')
      } else {
        chunks.push(chunk)
      }
    })
    message.on('end', () => resolve(joined(chunks)))
    // Both do nothing once the body has ended.
    const onBrokenOff = () => resolve('incomplete')
    message.on('error', onBrokenOff).on('close', onBrokenOff)
  })
}

/** Nearly every body comes in one chunk, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const first = chunks[0]
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}
