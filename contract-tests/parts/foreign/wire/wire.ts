import { Agent } from 'node:http'
import { Agent as SafeAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { readContract } from '../../../../openapi/reading/contract.ts'
import { beginPart } from '../../../harness/part.ts'
import { passOn } from '../../../harness/proxy.ts'
import { open, type Line } from '../../wire/connection.ts'
import { createFindings } from '../../wire/findings.ts'
import { BESIDE } from '../../wire/rules.ts'
import { breaksAgain, runTable } from '../../wire/wire.ts'
import type { ForeignPart, ForeignTarget } from '../target.ts'
import { foreignCases } from './cases.ts'
import { findGoodRequests, type GoodRequest } from './good-request.ts'
import { createForeignJudge } from './rules.ts'

/** Concurrent cases, and the time limit of one: how much load a third party's server bears is its own business. */
const AT_ONCE = 4
const CASE_MS = 5_000
const HALF_OPEN = 100
const PAUSE_MS = 50

/** Bytes that no client library sends, and another client beside them who must not notice. */
export const foreignWire: ForeignPart = {
  name: 'wire',
  what: 'malformed HTTP and JSON over bare sockets, half-open connections, valid traffic beside them',
  async run(target, { seed, log }) {
    const { done, skipped } = beginPart('wire', seed)
    const good = await findGoodRequests(target, readContract(target.contract))
    if (!good)
      return skipped('no GET of the contract was answered with success, so nothing shows whether the server works')
    const url = new URL(target.directUrl ?? target.url)
    const base = url.pathname.replace(/\/$/, '')
    const placed = ({ operation, request }: GoodRequest): GoodRequest => ({
      operation,
      request: { ...request, path: base + request.path },
    })
    const { lookup, submission } = good
    const cases = foreignCases(
      { lookup: placed(lookup), ...(submission && { submission: placed(submission) }) },
      url.host,
    )
    const judge = createForeignJudge(target.hide)
    const findings = createFindings(url, target.secrets, (wireCase, breach) =>
      breach.rule === BESIDE
        ? failsAgain(target, lookup)
        : breaksAgain(wireCase, breach, { url, judge, caseMs: CASE_MS }),
    )
    const traffic = startLookups(target, lookup)
    const lines = Array.from({ length: HALF_OPEN }, () => halfOpen(url))
    const table = await runTable(cases, { url, judge, findings, atOnce: AT_ONCE, caseMs: CASE_MS })
    for (const line of lines) line.reset()
    const { requests, faults } = await traffic.stop()
    const shown = cases.find(({ name }) => name === 'connection: one good request')
    for (const what of faults) if (shown) findings.note({ rule: BESIDE, what, timed: true }, shown)
    log(`wire: ${table.cases} cases of bytes, ${HALF_OPEN} half-open connections, ${requests} good requests beside`)
    return done({
      reason: submission
        ? undefined
        : 'no operation that takes JSON was answered with success: bodies and their framing were skipped',
      cases: table.cases + HALF_OPEN + requests,
      checks: table.checks + requests,
      findings: findings.list(),
    })
  },
}

function halfOpen(url: URL): Line {
  const line = open(url)
  line.socket.on('error', () => undefined)
  line.socket.on('connect', () => line.socket.write('GET / HTTP/1.1\r\nhost: any.inv'))
  return line
}

/** Time for which the other client goes on beside half-open connections, when the check is repeated. */
const AGAIN_MS = 3_000

async function failsAgain(target: ForeignTarget, lookup: GoodRequest): Promise<boolean> {
  const lines = Array.from({ length: HALF_OPEN }, () => halfOpen(new URL(target.directUrl ?? target.url)))
  const traffic = startLookups(target, lookup)
  await sleep(AGAIN_MS)
  for (const line of lines) line.reset()
  return (await traffic.stop()).faults.length > 0
}

/** Another client that reads: it shows only that the server still works. */
function startLookups({ directUrl, url }: ForeignTarget, { operation, request }: GoodRequest) {
  const to = new URL(directUrl ?? url)
  const agent = to.protocol === 'https:' ? new SafeAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const faults = new Set<string>()
  let [running, requests] = [true, 0]
  const worker = (async () => {
    while (running) {
      requests += 1
      const fault = await passOn(to, request, { agent, timeoutMs: 3 * CASE_MS, resends: true }).then(
        ({ status }) => (status < 300 ? undefined : `was answered ${status}`),
        ({ code, message }: NodeJS.ErrnoException) => `failed: ${code ?? message}`,
      )
      if (fault !== undefined) faults.add(`a good ${operation.id} ${fault}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })()
  return {
    async stop() {
      running = false
      await worker
      agent.destroy()
      return { requests, faults: [...faults] }
    },
  }
}
