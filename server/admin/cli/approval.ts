import { InvalidArgumentError, type Command } from 'commander'
import { approvalNamed, approveRequest, refuseRequest, stateOf, subjectOf } from '../operations/approvals.ts'
import { changeNamed } from '../operations/changes.ts'
import { displayValues } from '../operations/display-values.ts'
import { ownMerchant } from '../operations/merchant-named.ts'
import type { OperationResult } from '../operations/operation.ts'
import { listApprovals, type ApprovalView, type WaitingChange } from '../queries/approvals.ts'
import { idOf } from '../queries/transactions.ts'
import { defineRules } from './approval-rules.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit } from './command.ts'
import { withDatabase } from './database.ts'
import { print, printFields, printJson, printTable, shortTime } from './output.ts'
import { firstPage, parseId } from './pages.ts'
import { confirmation, runChange } from './run-change.ts'
import { addStaffAction, showDifference, type StaffOptions } from './staff-action.ts'

const REQUEST = 'the number of the request'

const parseRequest = (text: string): bigint => {
  const id = idOf(text)
  if (id === undefined) throw new InvalidArgumentError('It must be the number of a request.')
  return id
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} approval list`)
  addLeaf(group, 'list', 'list what waits for a second person, the newest first', `${MALIPO} approval list --all`)
    .option('--all', 'also what has been decided, or has expired')
    .option('--after <place>', 'the next page: the end that the previous page printed')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 50)
    .action(list)
  addLeaf(group, 'show', 'show one request: who asks for what, and why', `${MALIPO} approval show 7`)
    .argument('<request>', REQUEST, parseRequest)
    .action(show)
  addStaffAction(
    group,
    'approve',
    'approve a payout, or execute the change that somebody else has asked for',
    `${MALIPO} approval approve 7 --reason "Compared with the bank's statement"`,
  )
    .argument('<request>', REQUEST, parseRequest)
    .action(approve)
  addStaffAction(
    group,
    'refuse',
    'refuse a request, or take back your own',
    `${MALIPO} approval refuse 7 --reason "Nobody knows this recipient"`,
  )
    .argument('<request>', REQUEST, parseRequest)
    .action(refuse)
  defineRules(group.command('rules').description('list the rules that say what waits for a second person, change them'))
}

/** Without the secrets that are sealed in it. */
const changeRecord = ({ sealedInput: _sealedInput, ...change }: WaitingChange) => change

function toRecord({ approval, change, payout, batch, decidedAt, decider }: ApprovalView, now: Date) {
  return {
    id: approval.id,
    operation: approval.operation,
    merchant_id: approval.merchantId,
    state: stateOf(approval, now),
    maker: approval.maker.name,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    ...(batch && { batch_reference: batch.reference, payouts: batch.payouts }),
    ...(payout &&
      !batch && { internal_reference: payout.internalReference, merchant_reference: payout.merchantReference }),
    ...(change && changeRecord(change)),
    decided_at: decidedAt,
    decider,
    digest: approval.digest,
  }
}

interface ListOptions {
  readonly all?: true
  readonly after?: string
  readonly limit: number
  readonly json?: true
}

async function list({ all, after, limit, json }: ListOptions): Promise<void> {
  const before = after === undefined ? undefined : parseId(after)
  const { found, now } = await withDatabase(async (context) => ({
    found: await listApprovals(context.pool, {
      ofMerchant: ownMerchant(context),
      all: all === true,
      before,
      limit: limit + 1,
    }),
    now: context.clock.now(),
  }))
  const page = firstPage(found, limit, ({ approval }) => String(approval.id))
  if (json) return printJson(page.map((view) => toRecord(view, now)))
  printTable(
    page,
    [
      { title: 'REQUEST', of: ({ approval }) => approval.id, align: 'right' },
      { title: 'STATE', of: ({ approval }) => stateOf(approval, now) },
      { title: 'OPERATION', of: ({ approval }) => approval.operation },
      { title: 'WHAT', of: subjectOf, cut: true },
      { title: 'BY', of: ({ approval }) => approval.maker.name },
      { title: 'EXPIRES', of: ({ approval }) => shortTime(approval.expiresAt) },
      { title: 'DECIDED BY', of: ({ decider }) => decider },
    ],
    'Nothing waits for a second person.',
  )
}

const quoted = (word: string): string => (/^[\w./:@=-]+$/.test(word) ? word : JSON.stringify(word))

async function show(id: bigint, { json }: { readonly json?: true }): Promise<void> {
  const { view, now } = await withDatabase(async (context) => ({
    view: await approvalNamed(context, String(id)),
    now: context.clock.now(),
  }))
  if (json) return printJson(toRecord(view, now))
  const { approval, change, decider, decidedAt } = view
  const names = Object.keys({ ...change?.old, ...change?.new })
  printFields([
    ['request', approval.id],
    ['state', stateOf(approval, now)],
    ['operation', approval.operation],
    ['what', subjectOf(view)],
    ['arguments', change?.arguments.map(quoted).join(' ')],
    ['because', change?.reason],
    ['by', approval.maker.name],
    ['since', shortTime(approval.requestedAt)],
    ['expires', shortTime(approval.expiresAt)],
    ...names.map((name) => [name, `${change?.old[name] ?? '(none)'} -> ${change?.new[name] ?? '(none)'}`] as const),
    ['decided by', decider],
    ['decided', decidedAt && shortTime(decidedAt)],
  ])
  if (view.batch) print(`See the batch: ${MALIPO} payout show ${approval.merchantId} ${view.batch.reference}`)
  else if (view.payout) print(`See the payout: ${MALIPO} transaction show ${view.payout.internalReference}`)
}

async function approve(id: bigint, options: StaffOptions): Promise<void> {
  const confirm = confirmation(options)
  const secrets = await withDatabase(async (context) => {
    const { approval, change } = await approvalNamed(context, String(id))
    const input = { id: String(id), digest: approval.digest }
    const outcome = await approveRequest(context, input, { reason: options.reason, ...(confirm && { confirm }) })
    if (outcome.kind === 'waits') return undefined
    if (!options.json && !confirm) showDifference(outcome.what, outcome.difference)
    return change && changeNamed(change.command)?.showsSecrets ? outcome.result : undefined
  })
  reportDecision(id, 'approved', options.json, secrets)
}

async function refuse(id: bigint, options: StaffOptions): Promise<void> {
  await withDatabase(async (context) => {
    const { approval } = await approvalNamed(context, String(id))
    await runChange(context, refuseRequest, { id: String(id), digest: approval.digest }, options)
  })
  reportDecision(id, 'refused', options.json)
}

/** @param secrets what the change made, such as keys: nobody is shown them again */
function reportDecision(
  id: bigint,
  state: 'approved' | 'refused',
  json: true | undefined,
  secrets?: OperationResult,
): void {
  if (json) return printJson({ id, state, ...secrets })
  print(`Request ${id} is ${state}.`)
  if (!secrets) return
  printFields(Object.entries(displayValues(secrets)))
  print('\nKeep it now: it is shown only once.')
}
