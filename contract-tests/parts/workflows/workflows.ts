import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { curlLine } from '../../harness/curl.ts'
import {
  beginPart,
  type Finding,
  type OwnGateway,
  type Part,
  type PartResult,
  type RunOptions,
  type Target,
} from '../../harness/part.ts'
import { keepMoving } from '../../driver/clock.ts'
import { payoutFunds, tooLittle } from '../../driver/payout-funds.ts'
import { wireRequest } from '../../harness/proxy.ts'
import { startWorkflowReceiver } from './receiver.ts'
import { REDOCLY, respect, type FailedStep } from './respect.ts'

export const WORKFLOWS = fileURLToPath(new URL('../../../openapi/workflows/', import.meta.url))
/** Needs the messages of the target. */
const WITH_RECEIVER = 'callbacks.arazzo.yaml'
/** What the payouts of some files cost at most, and the files that need it. */
const PAYING: readonly (readonly [currency: string, amount: number, files: readonly string[]])[] = [
  ['UGX', 100_000, ['payouts.arazzo.yaml', WITH_RECEIVER]],
  ['NGN', 30_000, ['payouts.arazzo.yaml', 'lookups.arazzo.yaml']],
]
const RUN_MS_MAX = 120_000
/** Workflows wait by polling, as merchants do; the clock of our own gateway has to be moved meanwhile. */
const [STEP_MS, PAUSE_MS] = [250, 50]

/** The workflows of openapi/workflows, run against the target. */
export const workflowsPart: Part = {
  name: 'workflows',
  runsBeside: true,
  what: 'the Arazzo workflows of the docs, step by step',
  run: async (target, options) =>
    REDOCLY === undefined
      ? beginPart('workflows', options.seed).skipped('it needs @redocly/cli beside the tests: npm install @redocly/cli')
      : runWorkflows(target, options, readFiles),
}

/** The files of the docs. */
const readFiles = async (): Promise<readonly string[]> =>
  (await readdir(WORKFLOWS)).filter((file) => file.endsWith('.arazzo.yaml')).sort()

export async function runWorkflows(
  target: Target,
  { seed, log }: RunOptions,
  listFiles: () => Promise<readonly string[]>,
): Promise<PartResult> {
  const { done, skipped } = beginPart('workflows', seed)
  const { url, publicKey, secretKey, sandbox, receiver: settings, own } = target
  if (!sandbox) return skipped('the workflows use the phone numbers of the sandbox')

  const funds = own ? undefined : await payoutFunds(target)
  const lacking = PAYING.flatMap(([currency, amount, payers]) => {
    const why = tooLittle(funds, currency, amount, payers.join(' and '))
    return why === undefined ? [] : [{ why, payers }]
  })
  const reasons = [
    ...(settings ? [] : [`without a receiver ${WITH_RECEIVER} is skipped`]),
    ...lacking.map(({ why }) => why),
  ]
  const reason = reasons.length > 0 ? reasons.join('; ') : undefined
  const isRun = (file: string): boolean =>
    (settings !== undefined || file !== WITH_RECEIVER) && !lacking.some(({ payers }) => payers.includes(file))
  const files = (await listFiles()).filter(isRun).map((file) => WORKFLOWS + file)
  if (files.length === 0) return skipped(reason ?? 'there are no workflows')
  const receiver = settings && (await startWorkflowReceiver(settings))
  const stopClock = keepMoving(own, STEP_MS, PAUSE_MS)
  try {
    const play = (run: number) =>
      respect({
        files,
        servers: { malipo: url, ...(receiver && { receiver: receiver.url }) },
        inputs: { publicKey, secretKey, run: runNumber(run, own) },
        timeoutMs: RUN_MS_MAX,
      })
    const report = await play(seed)
    log(
      `workflows: ${report.workflows} from ${files.length} files, ${report.requests} requests, ${report.checks} checks`,
    )
    // Workflows wait for the outcome of payments, so they are all repeated before one is reported.
    const again = report.failures.length > 0 ? (await play(seed + RUNS_APART)).failures : []
    const nameOf = ({ workflow, step }: FailedStep): string => `${workflow}, step ${step}`
    const [real, once] = [true, false].map((isReal) =>
      report.failures
        .filter((failure) => again.some((each) => nameOf(each) === nameOf(failure)) === isReal)
        .map((failure) => findingOf(failure, target)),
    )
    return done({
      reason,
      cases: report.requests,
      checks: report.checks,
      findings: real ?? [],
      notReproduced: once ?? [],
      rules: files.map((file) => basename(file)),
    })
  } catch (error) {
    return done({ reason, cases: 0, checks: 0, findings: [{ about: 'workflows', what: String(error) }] })
  } finally {
    await stopClock()
    await receiver?.close()
  }
}

/** Offset between the number of a run and that of its repetition. */
const RUNS_APART = 5_000

/** Four digits: from the seed on a new gateway; elsewhere different from those of every earlier run. */
const runNumber = (seed: number, own: OwnGateway | undefined): string =>
  String((own ? seed : Math.floor(Date.now() / 1_000)) % 10_000).padStart(4, '0')

function findingOf({ workflow, step, what, request }: FailedStep, { publicKey, secretKey }: Target): Finding {
  const about = `${workflow}, step ${step}`
  // A request that was never sent has no address.
  const [rule = about] = workflow.split(' ')
  if (!request || !URL.canParse(request.url)) return { about, what, rule }
  const { origin, pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      /^\*+$/.test(String(value)) ? secretKey : String(value),
    ]),
  )
  const sent = wireRequest(request.method.toUpperCase(), pathname + search, headers, request.body)
  return { about, what, rule, curl: curlLine({ url: origin, publicKey, secretKey }, sent) }
}
