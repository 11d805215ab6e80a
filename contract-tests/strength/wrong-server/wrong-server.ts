import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readContract, type Contract, type Operation } from '../../../openapi/reading/contract.ts'
import { jsonOf, pathValues, valueOf } from '../../../openapi/reading/wire.ts'
import { withoutEmptyFields } from '../../harness/coverage/empty-fields.ts'
import { faultsShown } from '../../harness/coverage/schema-cells.ts'
import { listen, type ListeningServer } from '../../harness/listen.ts'
import { present } from '../../harness/part.ts'
import type { ServerAnswer, Decision, ServerDefect } from './defects.ts'

export const KEYS = { 'public-key': 'pub_of_the_wrong_server', 'secret-key': 'sec_of_the_wrong_server' } as const
const BODY_MAX = 65_536

export type WrongServer = ListeningServer

interface ServerRequest {
  readonly method: string
  readonly url: URL
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
}

/** Why a request is refused. */
interface Refusal {
  readonly decided: Decision
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the key or parameter. */
  readonly detail?: string
}

/** A second implementation: it answers with the contract's examples, right except for the planted faults. */
export async function startWrongServer(
  contractPath: string | URL,
  wrongThings: readonly ServerDefect[],
): Promise<WrongServer> {
  const decide = decider(readContract(contractPath), wrongThings)

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requested = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://any.invalid'),
      header: (name: string) => request.headersDistinct[name]?.join(', '),
      body: await buffer(request),
    }
    const { answer: right, operation, decided } = decide(requested)
    const { status, headers, body } = wrongThings.reduce(
      (answer, { spoils }) => spoils?.(answer, { operation, decided }) ?? answer,
      right,
    )
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
  return listen(createServer((request, response) => void respond(request, response)))
}

interface DecidedAnswer {
  readonly answer: ServerAnswer
  /** Empty: the path has none. */
  readonly operation: string
  readonly decided: Decision
}

/** The reply to a request. It remembers the replies to idempotency keys. */
function decider(
  contract: Contract,
  wrongThings: readonly ServerDefect[],
): (requested: ServerRequest) => DecidedAnswer {
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  const replies = new Map<string, { readonly body: string; readonly answer: ServerAnswer }>()

  return (requested) => {
    const onPath = operations.filter(({ path }) => pathValues(path, requested.url.pathname) !== undefined)
    const operation = onPath.find(({ method }) => method === requested.method)
    const [first] = onPath
    if (!first) return { answer: failure(404, 'There is nothing at this path'), operation: '', decided: 'body' }
    const allow = onPath.map(({ method }) => method).join(', ')
    if (!operation)
      return {
        answer: failure(405, 'This method is not allowed here', { allow }),
        operation: first.id,
        decided: 'method',
      }
    const isIgnored = ({ decided, detail = '' }: Refusal) =>
      wrongThings.some(({ ignores }) => ignores?.({ operation: operation.id, decided, detail }))
    const refusal = refusals(contract, operation, requested).find((each) => !isIgnored(each))
    if (refusal)
      return {
        answer: failure(refusal.status, refusal.message, refusal.headers),
        operation: operation.id,
        decided: refusal.decided,
      }
    return { operation: operation.id, ...replayedOr(requested, () => success(operation, requested)) }
  }

  function replayedOr(
    { header, body }: ServerRequest,
    make: () => ServerAnswer,
  ): { answer: ServerAnswer; decided: Decision } {
    const key = header('idempotency-key')
    const earlier = key === undefined ? undefined : replies.get(key)
    if (earlier && earlier.body === body.toString())
      return {
        decided: 'replay',
        answer: { ...earlier.answer, headers: { ...earlier.answer.headers, 'idempotency-replayed': 'true' } },
      }
    const used = 'Idempotency-Key has already been used with a different request'
    if (earlier) return { decided: 'conflict', answer: failure(409, used) }
    const answer = make()
    if (key !== undefined) replies.set(key, { body: body.toString(), answer })
    return { decided: 'success', answer }
  }
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'AAAAAAAAAAAAAAAA',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const failure = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): ServerAnswer => ({
  status,
  headers: { ...HEADERS, ...headers },
  body: { code: status, status: 'error', message, data: {} },
})

function success({ id, responses }: Operation, { url: { searchParams } }: ServerRequest): ServerAnswer {
  const response = present(
    responses.find(({ status }) => status.startsWith('2')),
    `success of ${id}`,
  )
  const example = present(response.examples[0], `example of ${id}`)
  return {
    status: Number(response.status),
    headers: HEADERS,
    body: JSON.parse(JSON.stringify(example.value), (_name, value: unknown) =>
      isList(value) ? value.filter((item) => isRequestedFor(item, searchParams)) : value,
    ) as ServerAnswer['body'],
  }
}

type Item = Readonly<Record<string, unknown>>
const isList = (value: unknown): value is readonly Item[] => Array.isArray(value)

/** Whether an item of a list has the values of the query, where it names them. */
const isRequestedFor = (item: Item, query: URLSearchParams): boolean =>
  [...query].every(
    ([name, value]) =>
      value === '' || [undefined, value].includes(textOf(item[name] ?? item[`transaction_${name}`])?.toUpperCase()),
  )
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** All faults of a request, in the order of checks. */
function refusals(contract: Contract, operation: Operation, requested: ServerRequest): Refusal[] {
  return [
    ...keyRefusals(operation, requested),
    ...parameterRefusals(contract, operation, requested),
    ...bodyRefusals(contract, operation, requested),
  ]
}

const refused = (decided: Decision, status: number, message: string, more: Partial<Refusal> = {}): Refusal[] => [
  { decided, status, message, ...more },
]

function keyRefusals({ keys }: Operation, { header }: ServerRequest): Refusal[] {
  const headers = { 'www-authenticate': 'ApiKey realm="malipo"' }
  return keys.flatMap(({ header: name }): Refusal[] => {
    const more = { detail: name, headers }
    if (header(name) === undefined) return refused('key missing', 401, `${name} is required`, more)
    if (header(name) === KEYS[name as keyof typeof KEYS]) return []
    return refused('key wrong', 401, 'The public-key or secret-key is not valid', more)
  })
}

function parameterRefusals(
  contract: Contract,
  { parameters, path }: Operation,
  { url, header }: ServerRequest,
): Refusal[] {
  const inPath = pathValues(path, url.pathname)
  return parameters.flatMap(({ name, in: where, required, schema, 'x-empty-is-absent': emptyIsAbsent }): Refusal[] => {
    const other = where === 'path' ? inPath?.get(name) : header(name.toLowerCase())
    const [text, ...others] = where === 'query' ? url.searchParams.getAll(name) : [other]
    if (others.length > 0)
      return refused('parameter invalid', 400, `${name} must be given once`, { detail: `${name} twice` })
    if (text === undefined || (text === '' && emptyIsAbsent))
      return required ? refused('parameter missing', 400, `${name} is required`, { detail: name }) : []
    return contract.faultIn(schema, valueOf(contract.flat(schema).type, text)) === undefined
      ? []
      : refused('parameter invalid', 400, `${name} is not as it must be`, { detail: name })
  })
}

function bodyRefusals(contract: Contract, { body: declared }: Operation, { header, body }: ServerRequest): Refusal[] {
  if (!declared) return []
  if (header('content-type') !== 'application/json')
    return refused('media type', 415, 'Content-Type must be application/json')
  if (body.length > BODY_MAX) return refused('size', 413, 'The request body is too large')
  const twice = nameGivenTwice(body.toString('utf8'))
  if (twice !== undefined) return refused('body', 400, `${twice} must be given once`, { detail: `${twice} twice` })
  const value = withoutEmptyFields(contract, declared.schema, jsonOf(body))
  if (contract.faultIn(declared.schema, value) === undefined) return []
  const faults = value === undefined ? [] : faultsShown(contract, declared.schema, value, 'body')
  const isUnknownField = faults.length > 0 && faults.every((fault) => fault.endsWith('with an unknown field'))
  return refused(isUnknownField ? 'unknown field' : 'body', 400, 'The request body is not as it must be')
}

/** The first duplicate name in one object: JSON.parse keeps the last and reports nothing. */
function nameGivenTwice(text: string): string | undefined {
  const open: Set<string>[] = []
  for (const [, name, bracket] of text.matchAll(/("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|([{}])/gs)) {
    if (bracket === '{') open.push(new Set())
    if (bracket === '}') open.pop()
    const names = open.at(-1)
    if (name === undefined || !names) continue
    if (names.has(name)) return name.slice(1, -1)
    names.add(name)
  }
  return undefined
}
