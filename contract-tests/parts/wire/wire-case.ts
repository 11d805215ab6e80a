import type { WireRequest } from '../../harness/proxy.ts'

/** Allowed after a request: one of these statuses, or (`close`) the end without a reply. */
export type AllowedOutcomes = readonly (number | 'close')[]

/** Bytes that go to the server unchanged, and the replies that are allowed. */
export interface WireCase {
  /** Says what is sent; unique. */
  readonly name: string
  /** Each one is a write of its own. */
  readonly pieces: readonly Buffer[]
  /** Pause between the pieces. */
  readonly pauseMs?: number
  /** Expected replies, in order; after one that ends the connection no other is required. */
  readonly allowed: readonly AllowedOutcomes[]
  /** The client's action after the last byte: wait for the replies (absent), end its side, or reset the connection. */
  readonly afterwards?: 'end' | 'reset'
  /** Replies that come without the body they describe (HEAD). */
  readonly bodiless?: boolean
}

/** What is right: exactly, where the contract's meaning is known, else all that HTTP allows. */
interface RightOutcomes {
  /** No HTTP or no JSON: it is refused. Absent: 400, or a closed connection. */
  must(exact?: AllowedOutcomes): AllowedOutcomes
  /** HTTP leaves it to the server. */
  may(exact: AllowedOutcomes): AllowedOutcomes
  /** A lookup that every server answers. */
  good(exact?: AllowedOutcomes): AllowedOutcomes
  /** A submission that is valid: a business rule may refuse it. */
  readonly accepted: AllowedOutcomes
}

interface RequestParts {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Lines on top of the usual ones; one character, one byte. */
  readonly headers?: readonly string[]
  /** Names of usual headers to omit. */
  readonly without?: readonly string[]
  /** A body without a `content-length` line of its own in `headers` gets the right one. */
  readonly body?: string | Buffer
}

/** Writes the requests that all cases are made from. */
export interface RequestWriter extends RightOutcomes {
  readonly host: string
  /** Target of the lookup. */
  readonly target: string
  /** The lookup: GET without a body. */
  request(parts?: RequestParts): Buffer
  /** A request with a JSON body; absent: none is known. */
  readonly submission?: {
    /** A valid body, new at each call where the server takes each once. */
    readonly text: () => string
    post(body: string | Buffer, parts?: RequestParts): Buffer
  }
}

interface WriterOptions {
  readonly host: string
  readonly lookup: WireRequest
  /** Without a body. */
  readonly submission?: { readonly request: WireRequest; readonly text: () => string } | undefined
  readonly outcomes: RightOutcomes
}

export function createWriter({ host, lookup, submission, outcomes }: WriterOptions): RequestWriter {
  return {
    ...outcomes,
    host,
    target: lookup.path,
    request: (parts) => written(lookup, host, parts),
    ...(submission && {
      submission: {
        text: submission.text,
        post: (body, parts) => written(submission.request, host, { body, ...parts }),
      },
    }),
  }
}

function written(request: WireRequest, host: string, parts: RequestParts = {}): Buffer {
  const { method = request.method, target = request.path, version = 'HTTP/1.1', headers = [], without = [] } = parts
  const body = Buffer.from(parts.body ?? '')
  const isFramed = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
  const lines = [
    `${method} ${target} ${version}`,
    ...Object.entries({ host: [host], ...request.headers })
      .filter(([name]) => !without.includes(name) && name !== 'content-length')
      .flatMap(([name, values]) => values.map((value) => `${name}: ${value}`)),
    ...headers,
    ...(parts.body !== undefined && !isFramed ? [`content-length: ${body.length}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** A case of one request and one reply. */
export const one = (name: string, bytes: Buffer, allowed: AllowedOutcomes, more: Partial<WireCase> = {}): WireCase => ({
  name,
  pieces: [bytes],
  allowed: [allowed],
  ...more,
})
