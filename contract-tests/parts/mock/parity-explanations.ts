import type { ParityCase } from './parity-cases.ts'
import { aspects, type ParityReply } from './parity-replies.ts'

/** One difference between the mock and the server for the same request. */
export interface Difference {
  readonly case: ParityCase
  readonly aspect: keyof ParityReply
  readonly mock: string
  readonly server: string
  /** Why they may differ; absent when it is unexplained. */
  readonly why?: string
}

type ExplainsDifference = (
  request: ParityCase,
  aspect: keyof ParityReply,
  mock: ParityReply,
  server: ParityReply,
) => boolean

/** An explanation of differences; it covers as few as possible. */
interface Explanation {
  readonly why: string
  readonly explains: ExplainsDifference
}

const PROBLEM = 'application/problem+json'
const OURS = 'application/json;charset=utf-8'

/** The mock answers one status where the server answers another. */
const statuses =
  (mock: RegExp, server: string, ...topics: readonly string[]): ExplainsDifference =>
  ({ topic }, aspect, seenMock, seenServer) =>
    aspect === 'status' && topics.includes(topic) && mock.test(seenMock.status) && seenServer.status === server

export const EXPLANATIONS: readonly Explanation[] = [
  {
    why: 'The mock writes the media type as the contract names it; the server adds the charset, which is always UTF-8.',
    explains: (_request, aspect, mock, server) =>
      aspect === 'mediaType' && mock.mediaType === 'application/json' && server.mediaType === OURS,
  },
  {
    why: 'The mock has no rule for what the contract does not declare: unknown paths and methods get problem+json of its own, the server answers with the envelope and, for 405, with Allow.',
    explains: ({ topic }, aspect, mock, server) =>
      ['path unknown', 'method wrong', 'method HEAD'].includes(topic) &&
      aspect !== 'status' &&
      mock.mediaType === PROBLEM &&
      server.mediaType === OURS,
  },
  {
    why: 'The mock sends every header that has an example; the server sends Idempotency-Replayed only when it has replayed a reply.',
    explains: (_request, aspect, mock, server) =>
      aspect === 'headers' && mock.headers === `${server.headers}, idempotency-replayed`,
  },
  {
    why: 'The mock gives the first example of a status, whatever the fault; the server names the fault.',
    explains: (_request, aspect, mock, server) =>
      aspect === 'message' && mock.mediaType !== PROBLEM && server.message !== '',
  },
  {
    why: 'The mock gives the first example of a success; payment_url comes with bank collections and the hosted page only.',
    explains: ({ operationId }, aspect, mock, server) =>
      operationId === 'initializeCollection' &&
      aspect === 'fields' &&
      !mock.fields.includes('payment_url') &&
      server.fields.includes('data.payment_url string'),
  },
  {
    why: 'The mock knows no merchants: it checks whether keys are present, not whose they are.',
    explains: statuses(/^20[02]$/, '401', 'key wrong'),
  },
  {
    why: 'The mock knows no providers, rates and limits: it judges by the schemas only.',
    explains: statuses(/^20[02]$/, '400', 'business rule'),
  },
  {
    why: 'The mock knows no providers: the contract lets any printable provider code through, so that the refusal can name it.',
    explains: (request, ...rest) =>
      request.operationId === 'listPayoutBanks' &&
      request.name === 'provider_code malformed' &&
      statuses(/^200$/, '400', 'query wrong')(request, ...rest),
  },
  {
    why: 'The mock has no memory: it never sees a merchant reference twice.',
    explains: statuses(/^202$/, '409', 'reference used'),
  },
  {
    why: 'The mock has no memory: it never sees an Idempotency-Key twice.',
    explains: statuses(/^202$/, '409', 'idempotency key used'),
  },
  {
    why: 'The mock has no state: every collection waits for an OTP, even an unknown one.',
    explains: (request, ...rest) =>
      request.operationId === 'authorizeCollection' &&
      statuses(/^202$/, '404', 'example', 'language', 'accept')(request, ...rest),
  },
  {
    why: 'The mock never answers a body that is not JSON (docs, "Mock, sandbox or unit test").',
    explains: statuses(/^no reply$/, '400', 'body no JSON'),
  },
  {
    why: 'The mock reads bodies of any size; the server stops at its limit.',
    explains: statuses(/^400$/, '413', 'body too large'),
  },
  {
    why: 'The mock negotiates by Accept and gives up with 406; the server answers JSON to everybody, as its contract has nothing else.',
    explains: ({ topic }, aspect, mock) => topic === 'accept' && aspect === 'status' && mock.status === '406',
  },
  {
    why: 'Prefer chooses a reply of the mock; the server ignores it.',
    explains: ({ topic }, aspect, mock, server) =>
      topic === 'reply chosen' && aspect === 'status' && mock.status === '503' && server.status !== '503',
  },
]

/** The differences of two replies. Different statuses make everything else different, so they are reported alone. */
export function differencesOf(request: ParityCase, mock: ParityReply, server: ParityReply): Difference[] {
  const compared = mock.status === server.status ? aspects : (['status'] as const)
  return compared
    .filter((aspect) => mock[aspect] !== server[aspect])
    .map((aspect) => {
      const why = EXPLANATIONS.find(({ explains }) => explains(request, aspect, mock, server))?.why
      return { case: request, aspect, mock: mock[aspect], server: server[aspect], ...(why !== undefined && { why }) }
    })
}
