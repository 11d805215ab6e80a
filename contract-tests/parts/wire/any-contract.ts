import { readContract } from '../../../openapi/reading/contract.ts'
import type { ContractPart, ContractTarget } from '../../driver/contract-target.ts'
import { beginPart } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { allCases } from './cases/all.ts'
import { findGoodRequests, type GoodRequests } from './good-request.ts'
import { createJudge } from './rules.ts'
import { createWriter, type AllowedOutcomes } from './wire-case.ts'
import type { WireSubject } from './subject.ts'
import { runCases, type WireLimits } from './wire.ts'

/** How much load, and how many slow clients, a third party's server bears is its own business. */
const LIMITS: WireLimits = { atOnce: 4, caseMs: 5_000, halfOpen: 100, ofEachSlowKind: 0, casesOf: allCases }

/** Expected for invalid HTTP: a client error, an unknown method or version, or a closed connection. */
const CLIENT_ERRORS = [
  400, 401, 403, 404, 405, 406, 408, 409, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431,
]
const REFUSED: AllowedOutcomes = [...CLIENT_ERRORS, 501, 505, 'close']
const SUCCESS = [200, 201, 202, 203, 204, 206]
/** Accepted or refused: both are valid HTTP; a failure is not. */
const EITHER: AllowedOutcomes = [...SUCCESS, 301, 302, 303, 304, 307, 308, ...REFUSED]

/** Bytes that no client library sends, and another client beside them who must not notice: for any contract. */
export const wireOfAnyContract: ContractPart = {
  name: 'wire',
  what: 'malformed HTTP and JSON over bare sockets, half-open connections, valid traffic beside them',
  async run(target, options) {
    const { skipped } = beginPart('wire', options.seed)
    const good = await findGoodRequests(target, readContract(target.contract))
    if (!good)
      return skipped('no GET of the contract was answered with success, so nothing shows whether the server works')
    const reason = good.submission
      ? undefined
      : 'no operation that takes JSON was answered with success: bodies and their framing were skipped'
    return runCases(subjectOf(target, good), options, { ...LIMITS, reason })
  },
}

/** Requirements of HTTP and JSON on any server: invalid input is refused, and none makes it fail or disclose internals. */
function subjectOf(target: ContractTarget, { lookup, submission }: GoodRequests): WireSubject {
  const url = new URL(target.directUrl ?? target.url)
  const base = url.pathname.replace(/\/$/, '')
  const placed = (request: WireRequest): WireRequest => ({ ...request, path: base + request.path })
  const text = submission?.request.body.toString('utf8') ?? ''
  const lookupRequest = placed(lookup.request)
  return {
    url,
    writer: createWriter({
      host: url.host,
      lookup: lookupRequest,
      submission: submission && { request: placed(submission.request), text: () => text },
      outcomes: {
        must: () => REFUSED,
        may: () => EITHER,
        good: () => SUCCESS,
        accepted: EITHER.filter((each) => each !== 'close'),
      },
    }),
    judge: createJudge({
      // A valid reply may contain what was sent; a refusal of an invalid request has nothing to repeat.
      leaks: (received, isRefusal) => isRefusal && target.hide(received) !== received,
      endsConnections: false,
    }),
    secrets: target.secrets,
    good: [{ name: lookup.operation.id, make: () => lookupRequest }],
  }
}
