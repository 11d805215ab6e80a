import { fieldsOf } from '../../harness/json.ts'
import { problem, type LibraryFault, type LibraryReply, type LibraryRequest } from './library.ts'

/** A fault of the library, the part of the suite that finds it, and the words of the finding. */
export interface PlantedFault {
  readonly name: string
  /** What a library with it does. */
  readonly does: string
  readonly foundBy: 'declared' | 'wire' | 'schemathesis'
  readonly finding: RegExp
  readonly plant: LibraryFault
}

const isOf =
  (method: string, path: RegExp) =>
  (requested: LibraryRequest): boolean =>
    requested.method === method && path.test(requested.path)
const isAdding = isOf('POST', /^\/books$/)
const isReading = isOf('GET', /^\/books\/./)
const isListing = isOf('GET', /^\/books$/)
const PLAIN = { 'content-type': 'application/json' }
const EMPTY: LibraryReply = { status: 200, headers: PLAIN, body: {} }

/** Changes the successful replies to some requests. */
const changing = (
  concerns: (requested: LibraryRequest) => boolean,
  change: (reply: LibraryReply) => Partial<LibraryReply>,
  status = 200,
): LibraryFault => ({
  spoils: (reply, requested) =>
    reply.status === status && concerns(requested) ? { ...reply, ...change(reply) } : reply,
})
/** Answers some requests on its own. */
const answering = (concerns: (requested: LibraryRequest) => boolean, reply: LibraryReply): LibraryFault => ({
  instead: (requested) => (concerns(requested) ? reply : undefined),
})
const withoutHeader = ({ headers }: LibraryReply, name: string): Pick<LibraryReply, 'headers'> => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
})

type Row = Omit<PlantedFault, 'name'>
const declared = (does: string, finding: RegExp, plant: LibraryFault): Row => ({
  does,
  foundBy: 'declared',
  finding,
  plant,
})

const ROWS: Readonly<Record<string, Row>> = {
  'status-undeclared': declared(
    'answers a success with a status that is not declared',
    /was answered 202, a status that the contract does not/,
    changing(isAdding, () => ({ status: 202 }), 201),
  ),
  'field-missing': declared(
    'omits a required field',
    /must have required property 'title'/,
    changing(isReading, ({ body }) => ({ body: { ...fieldsOf(body), title: undefined } })),
  ),
  'header-missing': declared(
    'omits a required header',
    /a reply 200 has no header X-Total/,
    changing(isListing, (reply) => withoutHeader(reply, 'x-total')),
  ),
  'header-malformed': declared(
    'writes a header of another type',
    /a header X-Total that does not fit the contract/,
    changing(isListing, () => ({ headers: { ...PLAIN, 'x-total': 'many' } })),
  ),
  'second-key-not-checked': declared(
    'checks one of two credentials',
    /a request without readerCard was answered 20\d, not one of/,
    { trusts: ['readerCard'] },
  ),
  'key-repeated': declared('repeats a credential in a refusal', /a reply 401 repeats the credential of readerCard/, {
    instead: ({ headers }) =>
      headers['authorization'] === undefined
        ? problem(401, `no token with card ${String(headers['x-reader-card'])}`, { 'www-authenticate': 'Bearer' })
        : undefined,
  }),
  'body-not-checked': declared(
    'accepts a body that breaks the schema',
    /an invalid body field year was answered 201, not one of the ref/,
    { takes: isAdding },
  ),
  'too-many-items': declared(
    'accepts one item more than maxItems',
    /an invalid body field tags: one item too many was answered 201, not one of the ref/,
    { takes: (requested) => isAdding(requested) && /tags\\*":\[(\\*"\w+\\*",?){4}\]/.test(requested.body) },
  ),
  'listed-value-refused': declared(
    'refuses a value of a list',
    /with body field kind history was answered 400, not with success/,
    answering((requested) => isAdding(requested) && requested.body.includes('history'), problem(400, 'no history')),
  ),
  'created-not-found': declared(
    'does not find what was created',
    /made from the schema was answered 404|as the contract has it was answered 404/,
    answering(isReading, problem(404, 'there is no such book')),
  ),
  'delete-without-effect': declared(
    'answers DELETE with success and keeps the book',
    /^getBook after DELETE \S+ was answered 204, GET of the same path was answered 200 with the same body as before/,
    answering(({ method }) => method === 'DELETE', { status: 204, headers: {} }),
  ),
  'allow-missing': declared('answers 405 without Allow', /was answered 405, and its Allow header is not there/, {
    spoils: (reply) => (reply.status === 405 ? { ...reply, ...withoutHeader(reply, 'allow') } : reply),
  }),
  'unknown-path-answered': declared(
    'answers a path that is not declared',
    /to a path that the contract does not know .* was answered 200/,
    answering(({ path }) => !path.startsWith('/books'), EMPTY),
  ),
  'deep-json-500': {
    does: 'breaks on deeply nested JSON',
    foundBy: 'wire',
    finding: /^no request makes the server fail the server failed with 500/,
    plant: {
      spoils: (reply, { body }) =>
        reply.status === 400 && /^[{[]{100}/.test(body) ? problem(500, 'stack overflow') : reply,
    },
  },
  'stack-in-refusal': {
    does: 'shows a stack trace in refusals',
    foundBy: 'wire',
    finding: /^no reply discloses internals/,
    plant: {
      spoils: (reply) =>
        reply.status === 400 ? problem(400, 'SyntaxError\n    at parse (/srv/library/read.js:7:11)') : reply,
    },
  },
  'largest-number-500': {
    does: 'breaks on the largest number',
    foundBy: 'schemathesis',
    finding: /^GET \/books (?:not_a_server_error|status_code_conformance)/,
    plant: answering(({ query }) => /limit=50\b/.test(query), problem(500, 'too many')),
  },
}

export const FAULTS: readonly PlantedFault[] = Object.entries(ROWS).map(([name, row]) => ({ name, ...row }))
