// A third party's server: nothing in it knows Malipo, and nothing in the suite knows books.
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { OpenAPIBackend, type Document, type Request } from 'openapi-backend'
import { isObject } from '../../../openapi/reading/json.ts'
import { listen, type ListeningServer } from '../../harness/listen.ts'

export const CREDENTIALS = { accessToken: 'token-of-a-reader', readerCard: 'card-of-a-reader' } as const

export interface LibraryReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON; undefined: no body. */
  readonly body?: unknown
}

export interface LibraryRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: string
  readonly body: string
}

/** What is wrong with the library. */
export interface LibraryFault {
  /** Security schemes whose credential is not checked. */
  readonly trusts?: readonly string[]
  /** Answers on its own; undefined: the usual answer. */
  readonly instead?: (requested: LibraryRequest) => LibraryReply | undefined
  /** Changes an answer. */
  readonly spoils?: (reply: LibraryReply, requested: LibraryRequest) => LibraryReply
  /** Whether a request that the contract refuses is accepted anyway. */
  readonly takes?: (requested: LibraryRequest) => boolean
}

interface Book {
  readonly id: string
  readonly [field: string]: unknown
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): LibraryReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body,
})
export const problem = (status: number, text: string, headers?: Readonly<Record<string, string>>): LibraryReply =>
  json(status, { problem: text }, headers)

/** The context that openapi-backend passes to a handler, as far as it is read here. */
interface Call {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly params: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly requestBody?: unknown
  }
  readonly operation: { readonly operationId?: string }
  readonly validation: { readonly errors?: readonly { readonly message?: string }[] | null }
}

// Its built-in check knows OpenAPI 3.0 only.
class Backend extends OpenAPIBackend {
  override validateDefinition() {
    return this.document
  }
}

/** State of one library; the backend of a document is shared. */
interface LibraryState {
  readonly books: Map<string, Book>
  readonly fault: LibraryFault
}

/** Serves the document, correct except for the fault. @param port 0 picks one */
export async function startLibrary(document: object, fault: LibraryFault = {}, port = 0): Promise<ListeningServer> {
  const backend = await backendOf(document)
  const shelf: LibraryState = { books: new Map(), fault }
  async function answer(message: IncomingMessage): Promise<LibraryReply> {
    const body = (await buffer(message)).toString('utf8')
    const [path = '/', query = ''] = (message.url ?? '/').split('?')
    const requested: LibraryRequest = { method: message.method ?? 'GET', path, query, headers: message.headers, body }
    const reply = fault.instead?.(requested) ?? unreadable(requested) ?? (await handled(backend, shelf, requested))
    return fault.spoils?.(reply, requested) ?? reply
  }
  const server = createServer((message, response) => {
    answer(message).then(
      ({ status, headers, body }) => {
        const text = typeof body === 'string' || body === undefined ? (body ?? '') : JSON.stringify(body)
        // A reply 204 has no length (RFC 9110, section 8.6).
        const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) }
        response.writeHead(status, { ...length, ...headers }).end(message.method === 'HEAD' ? undefined : text)
      },
      () => response.destroy(),
    )
  })
  return listen(server, port)
}

/** A malformed path, or a body that is not JSON in UTF-8: the backend would not report it. */
function unreadable({ path, method, headers, body }: LibraryRequest): LibraryReply | undefined {
  try {
    decodeURIComponent(path)
  } catch {
    return problem(400, 'the path is wrongly encoded')
  }
  if (method !== 'POST' || path !== '/books') return undefined
  if (headers['authorization'] === undefined) return undefined
  if (!/^application\/json\b/i.test(String(headers['content-type']))) return problem(415, 'only JSON is taken')
  try {
    JSON.parse(body)
    return undefined
  } catch {
    return problem(400, 'the body is no JSON')
  }
}

async function handled(backend: Backend, shelf: LibraryState, requested: LibraryRequest): Promise<LibraryReply> {
  const { method, path, query, headers, body } = requested
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const request: Request = { method, path, query, headers: Object.fromEntries(kept), body }
  return (await backend.handleRequest(request, shelf)) as LibraryReply
}

const backends = new WeakMap<object, Promise<Backend>>()
/** Built once per document: its validators take half a second to compile. */
function backendOf(document: object): Promise<Backend> {
  const found = backends.get(document) ?? createBackend(document)
  backends.set(document, found)
  return found
}

async function createBackend(document: object): Promise<Backend> {
  const backend: Backend = new Backend({
    definition: structuredClone(document) as Document,
    quick: false,
    coerceTypes: true,
    customizeAjv: (_draft07, options) => addFormats.default(new Ajv2020({ ...options, strict: false })),
    securityHandlers: Object.fromEntries(
      Object.entries(CREDENTIALS).map(([scheme, value]) => [
        scheme,
        ({ request }: Call, { fault }: LibraryState) => {
          const shown = scheme === 'accessToken' ? request.headers['authorization'] : request.headers['x-reader-card']
          const wanted = scheme === 'accessToken' ? `Bearer ${value}` : value
          return shown === wanted || fault.trusts?.includes(scheme) === true
        },
      ]),
    ),
    handlers: {
      ...HANDLERS,
      notFound: async () => problem(404, 'there is nothing at this path'),
      methodNotAllowed: async ({ request }: Call) =>
        problem(405, 'not this method', {
          allow: request.path === '/books' ? 'GET, POST' : 'GET, DELETE',
        }),
      unauthorizedHandler: async () => problem(401, 'nobody is known by this', { 'www-authenticate': 'Bearer' }),
      validationFail: async (context: Call, shelf: LibraryState) => {
        const { method, path, headers, query, body } = context.request
        const requested = {
          method: method.toUpperCase(),
          path,
          headers,
          query: new URLSearchParams(query).toString(),
        }
        const handler = HANDLERS[context.operation.operationId ?? '']
        const isTaken = shelf.fault.takes?.({ ...requested, body: JSON.stringify(body) }) === true
        if (handler && isTaken) return handler(context, shelf)
        return problem(400, context.validation.errors?.[0]?.message ?? 'the request is wrong')
      },
    },
  })
  return backend.init()
}

type Handle = (context: Call, shelf: LibraryState) => Promise<LibraryReply>

const idOf = ({ request }: Call): string => request.params['id'] ?? ''

const HANDLERS: Readonly<Record<string, Handle>> = {
  listBooks: async ({ request }, { books }) => {
    const { author, limit = '50' } = request.query
    const found = [...books.values()].filter((book) => author === undefined || book['author'] === author)
    return json(200, { books: found.slice(-Number(limit)) }, { 'x-total': String(found.length) })
  },
  addBook: async ({ request }, { books }) => {
    const id = request.headers['x-book-id'] ?? ''
    if (books.has(id)) return problem(409, 'there is a book with this id')
    const fields = isObject(request.requestBody) ? request.requestBody : {}
    const book: Book = { title: '', author: '', year: 1000, ...fields, id }
    books.set(id, book)
    return json(201, book)
  },
  getBook: async (context, { books }) => {
    const book = books.get(idOf(context))
    return book ? json(200, book) : problem(404, 'there is no such book')
  },
  removeBook: async (context, { books }) =>
    books.delete(idOf(context)) ? { status: 204, headers: {} } : problem(404, 'there is no such book'),
}
