import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { RequestFault } from './failures.ts'
import { readNamesAndNumbers, type NumberTexts } from './json-text.ts'
import { readCapped } from './read-capped.ts'

/** Far above any request of the contract, far below a harmful size. */
export const BODY_MAX_BYTES = 65_536

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

export interface JsonObject {
  readonly value: object
  /** The body's numbers as they were written: JSON.parse rounds them. */
  readonly numbers: NumberTexts
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
): Promise<JsonObject> {
  const bytes = await readBytes(message)
  if (bytes.length === 0) throw new RequestFault(400, 'The request body is required')
  const { value, numbers } = parse(bytes, isDeclared)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestFault(400, 'The request body must be a JSON object')
  return { value, numbers }
}

function parse(
  bytes: Buffer,
  isDeclared: (name: string) => boolean,
): { readonly value: unknown; readonly numbers: NumberTexts } {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8')
    const text = bytes.toString('utf8')
    const numbers = readNamesAndNumbers(text, isDeclared)
    return { value: refuseLoneSurrogates(text, JSON.parse(text)), numbers }
  } catch (error) {
    if (error instanceof RequestFault) throw error
    // The parser's own message gives positions in the text, which help nobody, and repeats what was sent.
    throw new RequestFault(400, 'The request body is not valid JSON')
  }
}

async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const bytes = await readCapped(message, BODY_MAX_BYTES)
  if (bytes === 'too_large')
    throw new RequestFault(413, `The request body is larger than ${BODY_MAX_BYTES} bytes`, { connection: 'close' })
  if (bytes === 'incomplete') throw new RequestFault(400, 'The request body is incomplete')
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
