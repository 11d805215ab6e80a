import { payloadOf } from '../../driver/message-fields.ts'
import { sendRequest, verifyRequest } from '../../driver/requests.ts'
import { endsOf, hasEnded, isUncovered, pass } from './outcomes.ts'
import { hold, isFinal, isWaiting, type ModelRun, type Payment } from './world.ts'

/** Verifies payments, and compares their status with the expected one. @throws Violation */
export async function observe(run: ModelRun, payments: readonly Payment[] = run.payments): Promise<void> {
  const replies = await Promise.all(
    payments.map(({ reference }) => sendRequest(run.target.url, verifyRequest(run.target, reference))),
  )
  for (const [index, payment] of payments.entries()) {
    const { status: code = 0, message = '', data = {} } = replies[index] ?? {}
    const what = `verify of ${payment.reference}, which was accepted, is answered ${code} ${message}`
    hold(run, 'every accepted payment is found again', code === 200, what)
    payment.status = String(data['transaction_status'])
    payment.message = String(data['status_message'])
    if (isFinal(payment.status)) payment.ended.add(payment.status)
  }
  for (const payment of payments) judgeStatus(run, payment)
}

/** The rules over all traffic compare the other fields, and one reply with another. */
function judgeStatus(run: ModelRun, payment: Payment): void {
  const { reference, stage, status, message } = payment
  if (isWaiting(payment)) {
    const what = `${reference} waits for its customer (${stage.at}) and is ${status}`
    return hold(run, 'nothing happens before the customer agrees', status === 'PENDING', what)
  }
  if (stage.at === 'ended')
    hold(run, 'what ended stays ended', status === stage.status, `${reference} ended ${stage.status} and is ${status}`)
  if (!isFinal(status) || isUncovered(run, payment)) return
  const ends = endsOf(run, payment)
  const isRight = ends.some((end) => end.status === status && (end.message ?? message) === message)
  const expected = ends.map((end) => [end.status, end.message ?? []].flat().join(': ')).join(' or ') || 'no end'
  const what = `${reference} is ${status}: ${message}; expected ${expected}`
  hold(run, 'a payment ends as its test number says', isRight, what)
}

const SECOND_MS = 1_000
/** Enough for every test number (accepted, unreachable twice, late, after a minute) and for every page to expire. */
const TO_THE_END_MS = [1, 2, 3, 61, 31 * 60].map((seconds) => seconds * SECOND_MS)
/** How often another server is polled, a moment apart, before a payment counts as stuck. */
const POLLS_MAX = 25

/** Every accepted payment ends as expected, is reported once, and the books balance. @throws Violation */
export async function finish(run: ModelRun): Promise<void> {
  const { own } = run
  run.story.push('time goes by until all has ended')
  const isOver = (): boolean =>
    run.payments.every((payment) => hasEnded(run, payment) && missingCallbacks(run, payment).length === 0)
  for (const ms of own ? TO_THE_END_MS : []) await pass(run, ms)
  await observe(run)
  for (let polls = 0; !own && polls < POLLS_MAX && !isOver(); polls += 1) {
    await pass(run, SECOND_MS)
    await observe(run)
  }
  for (const payment of run.payments) {
    const { reference, account, status } = payment
    const expected = endsOf(run, payment).at(-1)?.status ?? 'PROCESSING'
    const what = `${reference} (account ${account || 'not chosen'}) is ${status}; expected ${expected}`
    hold(run, 'every accepted request ends', hasEnded(run, payment), what)
    judgeCallbacks(run, payment)
  }
  if (!own) return
  const faults = (await own.audit()).filter((fault) => !run.oldFaults.includes(fault))
  hold(run, 'the ledger balances', faults.length === 0, faults.join('; '))
}

const reportedOf = ({ receiver }: ModelRun, { reference }: Payment): readonly string[] =>
  (receiver?.messagesOf(reference) ?? [])
    .filter(({ method }) => method !== 'GET')
    .map((message) => String(payloadOf(message)['transaction_status']))

const missingCallbacks = (run: ModelRun, payment: Payment): readonly string[] =>
  run.receiver ? [...payment.ended].filter((status) => !reportedOf(run, payment).includes(status)) : []

/** Each final state is reported once, even across restarts. The rules compare callbacks with verify replies. */
function judgeCallbacks(run: ModelRun, payment: Payment): void {
  const reported = reportedOf(run, payment)
  const isRight = missingCallbacks(run, payment).length === 0 && new Set(reported).size === reported.length
  const [came, ended] = [reported, [...payment.ended]].map((each) => each.join(', '))
  const what = `the merchant received for ${payment.reference}: ${came || 'nothing'}; verify returned ${ended || 'no final state'}`
  hold(run, 'every final state is reported once', isRight, what)
}
