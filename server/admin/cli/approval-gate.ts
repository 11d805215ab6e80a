import { randomBytes } from 'node:crypto'
import {
  APPROVAL_TTL_MS,
  changeDigest,
  DECISION_REFUSALS,
  isCovered,
  type ApprovalOperation,
  type DecisionRefusal,
  type Party,
} from '../../domain/approvals.ts'
import type { Money } from '../../domain/money.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { openDigests } from '../../storage/digests.ts'
import { available } from '../../storage/pool.ts'
import { decideChange, requestApproval } from '../queries/approvals.ts'
import { applyChange, previewChange, type AuditedAction, type StaffChange } from '../queries/audit-log.ts'
import { MALIPO } from './called-as.ts'
import { commandRun, type ApprovedRun } from './command-run.ts'
import { openSecretBox, type Context } from './database.ts'
import { CliError, WAITS } from './errors.ts'

/** The operation of each command that rules may cover. */
const OPERATION_OF: Readonly<Record<string, ApprovalOperation>> = {
  'wallet deposit': 'deposits',
  'wallet transfer': 'transfers',
  'transaction resolve': 'manual-resolution',
  'rail add': 'rail-settings',
  'rail set': 'rail-settings',
  'rail remove': 'rail-settings',
}

/** What decides whether a rule covers a change, beside its command. */
export interface GatedSubject {
  readonly command: string
  readonly subject: string
  readonly merchantId?: bigint | undefined
  readonly amount?: Money
  /** Values that the command has read besides its arguments, from a file or a prompt. */
  readonly input?: string
}

/** Who makes or decides a request. */
const partyOf = ({ actor }: Context): Party =>
  'personId' in actor ? { name: actor.name, personId: actor.personId } : { name: actor.name }

/** @throws CliError without a login in live mode: nobody could tell whether a second person decides */
export function approverOf(context: Context): Party {
  if (context.actor.kind === 'break_glass')
    throw new CliError(`malipo: an approval needs a login: ${MALIPO} login\nNothing was changed.`)
  return partyOf(context)
}

/**
 * A change that a rule covers is stored as a request instead of being applied; when a second person executes the
 * request, the same commit decides it.
 * @returns the change to apply
 * @throws CliError `waits for approval` once the request is stored
 */
export async function throughApproval<Result>(
  context: Context,
  what: GatedSubject,
  action: AuditedAction,
  change: StaffChange<Result>,
): Promise<StaffChange<Result>> {
  const run = commandRun.getStore()
  if (run?.approved) return asApproved(context, what, run.approved, change)
  const operation = OPERATION_OF[what.command]
  if (!run || operation === undefined) return change
  const rules = await available(() => approvalRules(context.pool, operation))
  const { merchantId, amount } = what
  if (!isCovered(rules, { operation, merchantId, amount })) return change
  const args = run.args.filter((word) => word !== '--break-glass')
  const difference = await previewChange(context.pool, change)
  const now = context.clock.now()
  const request = {
    operation,
    ...(merchantId !== undefined && { merchantId }),
    digest: changeDigest(args, await inputDigest(context, what)),
    maker: partyOf(context),
    requestedAt: now,
    expiresAt: new Date(now.getTime() + APPROVAL_TTL_MS),
  }
  const { command, subject } = what
  const waiting = { command, subject, arguments: args, reason: action.reason, ...difference }
  const { result: id } = await applyChange(
    context.pool,
    action,
    {
      read: async (_pool, requested?: bigint) =>
        requested === undefined ? {} : { 'waits for approval': String(requested) },
      apply: (pool) => requestApproval(pool, request, waiting),
    },
    now,
  )
  throw new CliError(`malipo: ${command} ${subject} waits for approval ${id}`, WAITS)
}

/** The change as its maker asked for it, which the approver's decision is a part of. */
function asApproved<Result>(
  context: Context,
  what: GatedSubject,
  { id, command, subject, maker, digestSeen, because }: ApprovedRun,
  change: StaffChange<Result>,
): StaffChange<Result> {
  if (what.command !== command) throw new Error(`request ${id} is for ${command}, not ${what.command}`)
  return {
    ...change,
    async apply(pool, actionId) {
      const by = approverOf(context)
      const input = await inputDigest(context, what)
      const decision = { id, state: 'approved', by, digestSeen, at: context.clock.now(), input } as const
      const refusal = await decideChange(pool, decision)
      if (refusal) throw refusedDecision(id, refusal)
      return change.apply(pool, actionId)
    },
    done: {
      ...change.done,
      'request for': `${command} ${subject}`,
      'approved request': String(id),
      'made by': maker.name,
      'approved because': because,
    },
  }
}

/** Keyed: the values may be credentials. */
async function inputDigest(context: Context, { input }: GatedSubject): Promise<string | undefined> {
  if (input === undefined) return undefined
  const random = { bytes: (size: number) => randomBytes(size) }
  const digests = await openDigests(context.pool, await openSecretBox(context), random, context.clock.now())
  return digests('approval', input).toString('hex')
}

export const refusedDecision = (id: bigint, refusal: DecisionRefusal): CliError =>
  new CliError(`malipo: request ${id} was not decided: ${DECISION_REFUSALS[refusal]}.`)
