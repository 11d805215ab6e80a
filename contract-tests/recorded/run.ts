import { readContract } from '../../openapi/reading/contract.ts'
import { createCoverage } from '../harness/coverage/recorder.ts'
import type { Finding } from '../harness/part.ts'
import { RULES } from '../rules/all.ts'
import { createTrafficJudge } from '../rules/judge-traffic.ts'
import { hiding, secretsOf, type Account } from '../rules/secrets/known-secrets.ts'
import { UsageError } from '../usage-error.ts'
import { recording, suiteResult, type SuiteResult } from '../suite-result.ts'
import { sortExchanges } from './direction.ts'
import { readHar, type HarFile } from './har.ts'
import { createPersonalValues } from './personal-values.ts'

export interface RecordedRun {
  /** HAR files: at the server, at the receiver of its callbacks, or both. */
  readonly files: readonly string[]
  readonly contract: string
  /** The server's address; absent: found from the paths of the contract. */
  readonly url?: string
  /** Keys of the merchants; without them what needs them is not judged. */
  readonly accounts: readonly (Account | undefined)[]
  readonly sandbox: boolean
  /** The recording has everything that moved the money of the merchants. */
  readonly isOnlyUser: boolean
  readonly log: (line: string) => void
}

/**
 * Holds the rules over traffic that was recorded earlier, or elsewhere; nothing is sent. The report contains no key, no
 * account number and no name of a person, and no line that would repeat a payment.
 * @throws UsageError when a file is no HAR, or has nothing of the contract
 */
export async function judgeRecorded({ files, contract, url, log, ...server }: RecordedRun): Promise<SuiteResult> {
  const startedAt = performance.now()
  const read = readContract(contract)
  const hars = await Promise.all(files.map(readHar))
  const { sorted, others } = sortExchanges(
    hars.flatMap(({ exchanges }) => exchanges),
    read,
    url,
  )
  if (sorted.length === 0)
    throw new UsageError(
      `--recorded: none of ${files.join(', ')} has a request ${url === undefined ? 'of the contract' : `to ${url}`}`,
    )
  const personal = createPersonalValues()
  const places = new Map(sorted.map(({ exchange, place }) => [exchange, place]))
  for (const { exchange } of sorted) personal.collect(exchange)
  const secrets = hiding(secretsOf(...server.accounts))
  const rules = createTrafficJudge({
    contract: read,
    rules: RULES,
    isOneServer: true,
    placeOf: (exchange) => places.get(exchange) ?? '',
  })
  rules.server({ ...server, url: url ?? '' })
  const coverage = createCoverage(read)
  const record = recording(coverage, rules, log)
  for (const { exchange, direction } of sorted) record(exchange, direction)
  const judged = rules.result()
  const hide = (text: string): string => personal.hide(secrets(text))
  const shown = ({ what, also, ...finding }: Finding): Finding => ({
    ...finding,
    what: hide(what),
    ...(also && { also: also.map(hide) }),
  })
  const total = (count: (file: HarFile) => number): number => hars.reduce((sum, each) => sum + count(each), 0)
  const [incomplete, cached] = [total((each) => each.incomplete), total((each) => each.cached)]
  const notes = [
    ...(judged?.reason === undefined ? [] : [judged.reason]),
    ...(others > 0 ? [`${others} exchanges with other addresses are not judged`] : []),
    ...(cached > 0
      ? [`from the cache of a browser, and not judged: ${cached} ${cached === 1 ? 'entry' : 'entries'}`]
      : []),
    ...(incomplete > 0 ? [`${incomplete} entries have no reply, or no longer their body`] : []),
  ]
  return suiteResult(startedAt, {
    seed: 0,
    size: 'pull-request',
    results: judged
      ? [{ ...judged, findings: judged.findings.map(shown), ...(notes.length > 0 && { reason: notes.join('; ') }) }]
      : [],
    coverage: coverage.coverage({
      failure: false,
      receiver: sorted.some(({ direction }) => direction === 'received'),
    }),
  })
}
