import { fieldsOf } from '../../harness/json.ts'
import { problem, type LibraryRequest, type Fault, type LibraryReply } from './library.ts'

/** A fault, the part of the suite that finds it, and the words of the finding. */
export interface PlantedFault extends Fault {
  readonly seenBy: 'declared' | 'wire' | 'schemathesis'
  readonly found: RegExp
}

const isOf =
  (method: string, path: RegExp) =>
  (requested: LibraryRequest): boolean =>
    requested.method === method && path.test(requested.path)
const isAdding = isOf('POST', /^\/books$/)
const isReading = isOf('GET', /^\/books\/./)
const isListing = isOf('GET', /^\/books$/)
const PLAIN = { 'content-type': 'application/json' }

/** Changes the successful replies to some requests. */
const changing =
  (
    concerns: (requested: LibraryRequest) => boolean,
    change: (reply: LibraryReply) => Partial<LibraryReply>,
    status = 200,
  ): NonNullable<Fault['spoils']> =>
  (reply, requested) =>
    reply.status === status && concerns(requested) ? { ...reply, ...change(reply) } : reply
const fields = ({ body }: LibraryReply): Readonly<Record<string, unknown>> => fieldsOf(body)
const withoutHeader = ({ headers }: LibraryReply, name: string): Pick<LibraryReply, 'headers'> => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
})

const declared = (name: string, found: RegExp, fault: Omit<Fault, 'name'>): PlantedFault => ({
  name,
  found,
  seenBy: 'declared',
  ...fault,
})

export const FAULTS: readonly PlantedFault[] = [
  declared('a success under a status that is not declared', /was answered 202, a status that the contract does not/, {
    spoils: changing(isAdding, () => ({ status: 202 }), 201),
  }),
  declared('another media type', /a reply 200 has the media type text\/plain, not application\/json/, {
    spoils: changing(isReading, () => ({ headers: { 'content-type': 'text/plain' } })),
  }),
  declared('a required field is missing', /must have required property 'title'/, {
    spoils: changing(isReading, (reply) => ({ body: { ...fields(reply), title: undefined } })),
  }),
  declared('a field of another type', /body\/year must be integer/, {
    spoils: changing(isReading, (reply) => ({ body: { ...fields(reply), year: String(fields(reply)['year']) } })),
  }),
  declared('an error in HTML', /a reply 404 has the media type text\/html, not application\/json/, {
    instead: (requested) =>
      isOf('DELETE', /^\/books\/./)(requested)
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }
        : undefined,
  }),
  declared(
    'a body that breaks the schema is accepted',
    /an invalid body field year was answered 201, not one of the ref/,
    {
      takes: isAdding,
    },
  ),
  declared(
    'a parameter that breaks the schema is accepted',
    /an invalid query limit was answered 200, not one of the/,
    {
      takes: isListing,
    },
  ),
  declared('no credential is checked', /a request without accessToken was answered 20\d, not one of the re/, {
    trusts: ['accessToken', 'readerCard'],
  }),
  declared('one of two credentials is not checked', /a request without readerCard was answered 20\d, not one of/, {
    trusts: ['readerCard'],
  }),
  declared('odd characters make it fail', /odd characters in body field title was answered 500, a status that the/, {
    instead: (requested) =>
      isAdding(requested) && /\p{Emoji_Presentation}/u.test(requested.body) ? problem(500, 'oh') : undefined,
  }),
  declared('an undeclared header is required', /the request of the values was answered 400|the example novel was/, {
    instead: ({ headers, path }) =>
      path.startsWith('/books') && headers['x-client'] === undefined ? problem(400, 'X-Client is missing') : undefined,
  }),
  declared('a required header of a reply is missing', /a reply 200 has no header X-Total/, {
    spoils: changing(isListing, (reply) => withoutHeader(reply, 'x-total')),
  }),
  declared('a header of a reply is of another type', /a header X-Total that does not fit the contract/, {
    spoils: changing(isListing, () => ({ headers: { ...PLAIN, 'x-total': 'many' } })),
  }),
  declared('JSON that is cut off', /a reply 200 is no JSON/, {
    spoils: changing(isReading, (reply) => ({ body: JSON.stringify(reply.body).slice(0, -1) })),
  }),
  declared('a refusal repeats the credential', /a reply 401 repeats the credential of readerCard/, {
    instead: ({ headers }) =>
      headers['authorization'] === undefined
        ? problem(401, `no token with card ${String(headers['x-reader-card'])}`, { 'www-authenticate': 'Bearer' })
        : undefined,
  }),
  declared('405 without Allow', /was answered 405, and its Allow header is not there, not GET, POST/, {
    spoils: (reply) => (reply.status === 405 ? { ...reply, ...withoutHeader(reply, 'allow') } : reply),
  }),
  declared('a path that is not there is answered', /to a path that the contract does not know .* was answered 200/, {
    instead: ({ path }) => (path.startsWith('/books') ? undefined : { status: 200, headers: PLAIN, body: {} }),
  }),
  declared(
    'a method that is not declared is answered',
    /a method that its path does not have \(PUT\) was answered 200/,
    {
      instead: ({ method }) => (method === 'PUT' ? { status: 200, headers: PLAIN, body: {} } : undefined),
    },
  ),
  declared('a value of a list is refused', /with body field kind history was answered 400, not with success/, {
    instead: (requested) =>
      isAdding(requested) && requested.body.includes('history') ? problem(400, 'no history') : undefined,
  }),
  declared('an optional field is wanted', /that leaves out body field kind was answered 400, not with success/, {
    instead: (requested) =>
      isAdding(requested) && !requested.body.includes('kind') && requested.body.endsWith('}')
        ? problem(400, 'which kind?')
        : undefined,
  }),
  declared(
    'what was made cannot be read',
    /made from the schema was answered 404|as the contract has it was answered 404/,
    {
      instead: (requested) => (isReading(requested) ? problem(404, 'there is no such book') : undefined),
    },
  ),
  {
    name: 'JSON that is none makes it fail',
    seenBy: 'wire',
    found: /^no request makes the server fail answered 500/,
    spoils: (reply, requested) =>
      reply.status === 400 && /^[{[]{100}/.test(requested.body) ? problem(500, 'stack overflow') : reply,
  },
  {
    name: 'a refusal discloses the path of the program',
    seenBy: 'wire',
    found: /^no reply tells of the program/,
    spoils: (reply) =>
      reply.status === 400 ? problem(400, 'SyntaxError\n    at parse (/srv/library/read.js:7:11)') : reply,
  },
  {
    name: 'the largest number makes it fail',
    seenBy: 'schemathesis',
    found: /^GET \/books (?:not_a_server_error|status_code_conformance)/,
    instead: ({ query }) => (/limit=50\b/.test(query) ? problem(500, 'too many') : undefined),
  },
]
