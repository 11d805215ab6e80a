import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fieldsOf, isFields, type Fields } from '../harness/json.ts'
import type { Exchange, WireHeaders } from '../harness/proxy.ts'
import { UsageError } from '../usage-error.ts'

/** An exchange of a HAR file. */
export interface HarExchange {
  readonly exchange: Exchange
  /** Scheme and host of the request. */
  readonly origin: string
  /** Where it stands: `traffic.har, entry 17`. */
  readonly place: string
}

export interface HarFile {
  readonly exchanges: readonly HarExchange[]
  /** Entries that no rule can judge: without a reply, or without the body that they had. */
  readonly incomplete: number
  /** Entries that a browser took from its cache: the server sent their replies earlier. */
  readonly cached: number
}

/**
 * Reads HAR 1.2, as browsers and proxies write it. A browser stores bodies as text, already decoded: what frames and
 * compresses a body is left out of the headers where it no longer fits.
 * @throws UsageError with one line that says what is wrong
 */
export async function readHar(file: string): Promise<HarFile> {
  const wrong = (what: string): UsageError => new UsageError(`--recorded: ${file} ${what}`)
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw code === 'ENOENT' ? wrong('does not exist') : wrong(`cannot be read (${code})`)
  })
  let entries: unknown
  try {
    // Some tools begin the file with a byte order mark.
    entries = fieldsOf(fieldsOf(JSON.parse(text.replace(/^\uFEFF/, ''))).log).entries
  } catch {
    throw wrong('is no JSON')
  }
  if (!Array.isArray(entries)) throw wrong('is no HAR file: it has no list log.entries')
  const fromServer = entries
    .map((entry, index) => ({ entry: fieldsOf(entry), number: index + 1 }))
    .filter(({ entry }) => !isFromCache(entry))
  const exchanges = fromServer.map(({ entry, number }) => {
    try {
      return exchangeOf(entry, `${basename(file)}, entry ${number}`)
    } catch (error) {
      throw wrong(`, entry ${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
  const complete = exchanges.filter((each) => each !== undefined)
  return {
    exchanges: complete,
    incomplete: exchanges.length - complete.length,
    cached: entries.length - fromServer.length,
  }
}

/** HAR has no field for it: Chromium, Safari and Firefox each have one of their own. */
const isFromCache = ({ response, cache, _fromCache, _fetchType }: Fields): boolean =>
  fieldsOf(response)._transferSize === 0 ||
  typeof _fromCache === 'string' ||
  /cache/i.test(String(_fetchType)) ||
  isFields(fieldsOf(cache).afterRequest)

/** @returns undefined: the entry is incomplete @throws Error when it is no entry */
function exchangeOf({ request, response, startedDateTime, time }: Fields, place: string): HarExchange | undefined {
  const [sent, reply] = [fieldsOf(request), fieldsOf(response)]
  if (typeof sent.url !== 'string' || !URL.canParse(sent.url)) throw new Error('it has no request.url')
  if (typeof sent.method !== 'string') throw new Error('it has no request.method')
  const startedAt = Date.parse(String(startedDateTime))
  if (Number.isNaN(startedAt)) throw new Error('it has no startedDateTime')
  const status = Number(reply.status)
  const [body, content] = [sentBody(sent), replyBody(reply)]
  // 0: the browser got no reply, or was not allowed to read it.
  if (!(status >= 100) || body === undefined || content === undefined) return undefined
  const { origin, host, pathname, search } = new URL(sent.url)
  return {
    origin,
    place,
    exchange: {
      startedAt: new Date(startedAt),
      at: new Date(startedAt + (typeof time === 'number' && time > 0 ? time : 0)),
      request: {
        method: sent.method,
        path: pathname + search,
        headers: { host: [host], ...headersOf(sent.headers, body) },
        body,
      },
      reply: { status, headers: headersOf(reply.headers, content), body: content },
    },
  }
}

/** Names of HTTP/2 and HTTP/3 are lower-case already, and their pseudo-headers are no headers. */
function headersOf(list: unknown, body: Buffer): WireHeaders {
  const headers: NodeJS.Dict<string[]> = {}
  for (const { name, value } of Array.isArray(list) ? list.map(fieldsOf) : [])
    if (typeof name === 'string' && typeof value === 'string' && !name.startsWith(':'))
      (headers[name.toLowerCase()] ??= []).push(value)
  const { 'content-length': length, 'content-encoding': _decoded, 'transfer-encoding': _framed, ...rest } = headers
  return length?.[0] === String(body.length) ? { ...rest, 'content-length': length } : rest
}

function sentBody({ postData, bodySize }: Fields): Buffer | undefined {
  const { text, params, encoding } = fieldsOf(postData)
  if (typeof text === 'string') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  if (Array.isArray(params) && params.length > 0) return Buffer.from(formOf(params.map(fieldsOf)))
  return typeof bodySize === 'number' && bodySize > 0 ? undefined : Buffer.alloc(0)
}

const formOf = (params: readonly Fields[]): string =>
  new URLSearchParams(params.map(({ name, value }): [string, string] => [textOf(name), textOf(value)])).toString()
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A browser may have dropped a body: it then has a size, and no text. */
function replyBody({ content }: Fields): Buffer | undefined {
  if (!isFields(content)) return Buffer.alloc(0)
  const { text, encoding, size } = content
  if (typeof text === 'string') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  return typeof size === 'number' && size > 0 ? undefined : Buffer.alloc(0)
}
