import { decidePayout } from '../../actions/decide-approvals.ts'
import {
  approvalOf,
  APPROVER_ROLES,
  isCovered,
  digestOfAll,
  orderDigest,
  type Party,
  type Standing,
} from '../../domain/approvals.ts'
import { isFinal, isReturn, MERCHANT_CANCELLED, type Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import { Connection } from './memory-store/connection.ts'
import { HOUR, MINUTE, SECOND } from './spans.ts'
import { ignoreRefusal, type Stage } from './stage.ts'

// Four eyes: payouts of a merchant wait for its people, who approve, refuse, come too late, leave, or decide at once.

/** The people of both merchants, and staff who may not decide about a merchant's payouts. */
const PEOPLE: readonly (readonly [id: bigint, standing: Standing])[] = [
  [901n, { role: 'owner', merchantId: 1n }],
  [902n, { role: 'finance', merchantId: 1n }],
  [903n, { role: 'read-only', merchantId: 1n }],
  [904n, { role: 'owner', merchantId: 2n }],
  [905n, { role: 'admin' }],
]
const partyOf = (personId: bigint): Party => ({ name: `person ${personId}`, personId })

/** Somebody whose access ended. */
interface Leaving {
  readonly personId: bigint
  readonly atMs: number
}

/** What the scripts know about people, for the judge. */
export class SimulatedPeople {
  readonly left: Leaving[] = []

  /** Rules that cover payouts from this amount, of one merchant or of both. */
  setRules({ world, reference }: SimulatedGateway, from: bigint, merchantId: bigint | undefined): void {
    const { currency, unitMinor } = reference.market
    world.approvalRules.push({
      id: 1n,
      operation: 'payouts',
      currency,
      fromMinor: from * unitMinor,
      ...(merchantId !== undefined && { merchantId }),
    })
    for (const [id, standing] of PEOPLE) world.people.set(id, standing)
  }

  /** Who makes a payout: usually whoever has the API key. */
  makerFor(stage: Stage, merchantId: bigint): Party | undefined {
    const isByPerson = stage.gateway.world.approvalRules.length > 0 && merchantId === 1n
    return isByPerson && stage.choices.rarely(0.5) === 1 ? partyOf(901n) : undefined
  }

  /** A person looks at what waits, again and again, and decides about it. */
  async decides(stage: Stage): Promise<void> {
    const { choices, gateway } = stage
    const by = partyOf(choices.of(902n, 901n, 904n, 903n, 905n))
    for (let looks = 1 + choices.among(4); looks > 0; looks -= 1) {
      await gateway.scheduler.sleep(choices.of(SECOND, 5 * SECOND, 41 * SECOND, 11 * MINUTE, 24 * HOUR, 25 * HOUR))
      const known = [...gateway.world.approvals.values()]
      const waiting = known.filter(({ state }) => state === 'waiting')
      // Somebody may decide from a list that was read a while ago.
      const listed = choices.rarely(0.3) === 1 ? known : waiting
      for (const { id: transactionId } of listed) {
        const together = togetherWith(gateway, transactionId)
        const digestSeen = digestOfAll(known.filter(({ id }) => together.includes(id)).map(({ digest }) => digest))
        const state = choices.of('approved', 'approved', 'refused')
        const decision = { transactionId, state, by, digestSeen } as const
        await stage.insist((deps) => decidePayout(deps, decision)).catch(ignoreRefusal)
      }
    }
  }

  /** A person's access ends. */
  async leaves({ choices, gateway }: Stage): Promise<void> {
    const personId = choices.of(902n, 901n, 904n)
    const { scheduler } = gateway
    await scheduler.sleep(choices.of(3 * SECOND, SECOND, 40 * SECOND, 10 * MINUTE))
    await changing(gateway).autocommit('write', 'access ends', async (unit) => {
      await unit.people.lock(personId)
      unit.people.put(personId, undefined)
    })
    this.left.push({ personId, atMs: scheduler.nowMs })
  }
}

/** Somebody with access to the database changes who gets a payout that waits. */
export async function tampers({ choices, gateway }: Stage): Promise<void> {
  await gateway.scheduler.sleep(choices.of(2 * SECOND, 30 * SECOND, 5 * MINUTE))
  const [request] = [...gateway.world.approvals.values()].filter(({ state }) => state === 'waiting')
  if (!request) return
  await changing(gateway).autocommit('write', 'an order changes', async (unit) => {
    await unit.transactions.lock(request.id)
    if (unit.approvals.get(request.id)?.state !== 'waiting') return
    const row = unit.transactions.existing(request.id)
    unit.transactions.put(request.id, { ...row, transaction: { ...row.transaction, customerName: 'Somebody else' } })
  })
}

const changing = ({ world }: SimulatedGateway): Connection => new Connection(world, async () => undefined)

/** The payouts of the same batch, all of which have one currency; or itself. */
function togetherWith({ world }: Pick<SimulatedGateway, 'world'>, id: bigint): readonly bigint[] {
  const batch = [...world.batches.values()].find(({ rows }) => rows.some(({ transactionId }) => transactionId === id))
  return batch?.rows.map(({ transactionId }) => transactionId) ?? [id]
}

/** Whether the handshake of its batch is stored as its own: that one waits for no approval. */
const isAskedTogether = ({ batches }: SimulatedGateway['world'], id: bigint): boolean =>
  [...batches.values()].some(({ batch, rows }) => batch.handshake && rows.some((row) => row.transactionId === id))

/** What a rule covers goes on only with the approval of somebody else who may give it, for exactly that order. */
export function approved({ world }: SimulatedGateway, { left }: SimulatedPeople, transaction: Transaction): string[] {
  const { id, type, merchantId, amount, merchantReference, status, statusMessage, failureCode } = transaction
  const sumMinor = togetherWith({ world }, id)
    .map((one) => world.transactions.existing(one).transaction.amount.amountMinor)
    .reduce((sum, minor) => sum + minor, 0n)
  const counted = { operation: approvalOf(type), merchantId, amount: { ...amount, amountMinor: sumMinor } }
  const covered = type !== 'COLLECTION' && !isReturn(transaction) && isCovered(world.approvalRules, counted)
  const approval = world.approvals.get(id)
  if (!covered || !approval) return covered === (approval !== undefined) ? [] : [`${merchantReference} did not wait`]
  const { state, decider, decidedAt, maker, expiresAt, digest } = approval
  const fault = (text: string): string => `the payout ${merchantReference} ${text}`
  const ends = world.eventsOf(id).filter(({ kind }) => kind.startsWith('approval_'))
  const wentOn = (!isAskedTogether(world, id) && world.handshakes.has(id)) || world.eventsOf(id, 'held').length > 0
  const faults: string[] = []
  if (ends.length > 1) faults.push(fault(`was decided ${ends.length} times`))
  if (wentOn && state !== 'approved') faults.push(fault(`went on though it is ${state}`))
  const codes = { refused: 'approval_refused', expired: 'approval_expired', approved: undefined } as const
  const isResolved =
    statusMessage === MERCHANT_CANCELLED.reason ||
    // A batch that its merchant does not confirm ends with its approvals.
    (isAskedTogether(world, id) && statusMessage.includes('verification URL')) ||
    world.eventsOf(id, 'resolved').length > 0
  if (isFinal(status) && !isResolved && (state === 'waiting' || state === 'lapsed'))
    faults.push(fault(`is ${status}, and ${state}`))
  else if (codes[state as keyof typeof codes] !== (failureCode?.startsWith('approval_') ? failureCode : undefined))
    faults.push(fault(`is ${state}, and has the code ${failureCode ?? 'none'}`))
  if (!decider || !decidedAt) return faults
  const standing = PEOPLE.find(([personId]) => personId === decider.personId)?.[1]
  const roles: readonly string[] = APPROVER_ROLES.payouts
  if (!standing || !roles.includes(standing.role) || standing.merchantId !== merchantId)
    faults.push(fault(`was decided by ${decider.name}, who may not`))
  if (left.some(({ personId, atMs }) => personId === decider.personId && atMs < decidedAt.getTime()))
    faults.push(fault(`was decided by ${decider.name}, who had left`))
  if (decidedAt.getTime() >= expiresAt.getTime()) faults.push(fault('was decided after it had expired'))
  if (state !== 'approved') return faults
  if (decider.personId === maker.personId) faults.push(fault('was approved by its maker'))
  if (orderDigest(transaction) !== digest) faults.push(fault('was approved as another order'))
  return faults
}
