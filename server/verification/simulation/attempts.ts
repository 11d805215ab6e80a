import { cancelPayment, retryPayment } from '../../actions/payment-steps.ts'
import { chooseAgain, type RetryChoice } from '../../actions/retry-choice.ts'
import { returnFromSuspense } from '../../actions/return-from-suspense.ts'
import { isPaidAgain } from '../../domain/attempts.ts'
import { isReturn, type Transaction } from '../../domain/transaction.ts'
import { newMerchantReference } from '../../domain/references.ts'
import { paidMinor } from '../../domain/refund.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { MemoryWorld } from './memory-store/world.ts'
import { OTP_PROVIDER, PHONE_PROVIDER } from './reference.ts'
import { HOUR, MINUTE, SECOND } from './spans.ts'
import { ignoreRefusal, type Stage } from './stage.ts'

/** A customer looks at the page again and again, and tries again where it offers that: twice by a double click. */
export async function triesAgain(
  stage: Stage,
  internalReference: string,
  enterOtp: () => Promise<void>,
): Promise<void> {
  const { choices, gateway } = stage
  const { reference, scheduler } = gateway
  const { callingCode, prefix } = reference.market
  for (let polls = 5; polls > 0; polls -= 1) {
    await scheduler.sleep(choices.of(20 * SECOND, 2 * SECOND, 4 * MINUTE, 12 * MINUTE))
    const other: RetryChoice = { phone: `${callingCode}${prefix}200000${choices.among(4)}` }
    const choice = choices.of<RetryChoice>(
      {},
      other,
      { ...other, providerCode: OTP_PROVIDER },
      { ...other, providerCode: PHONE_PROVIDER },
    )
    const again = () =>
      stage
        .insist((deps) =>
          retryPayment(deps, internalReference, (collection) =>
            chooseAgain(deps, reference.merchant(collection.merchantId), collection, choice),
          ),
        )
        .catch(ignoreRefusal)
    const whim = choices.rarely(0.3, 3)
    if (whim === 1) await stage.insist((deps) => cancelPayment(deps, internalReference)).catch(ignoreRefusal)
    const results = await Promise.all(whim === 2 ? [again(), again()] : [again()])
    if (results.includes('done') && choice.providerCode === OTP_PROVIDER) await enterOtp()
  }
}

/** The attempts of a collection, oldest first; none of one that offers no retries. */
export const attemptsOf = (world: MemoryWorld, { id }: Transaction): readonly Transaction[] =>
  (world.attempts.get(id) ?? []).map((attempt) => world.transactions.existing(attempt).transaction)

/**
 * Of a collection that was tried several times: at most one attempt pays it, with its own charge; whatever else was
 * paid is on suspense; and the next attempt begins only after a verdict about the one before.
 */
export function tried({ world }: SimulatedGateway, collection: Transaction): string[] {
  const attempts = attemptsOf(world, collection)
  if (attempts.length === 0 || world.expected.has(collection.id)) return []
  const name = `${collection.merchantReference} (${collection.status})`
  const paying = attempts.filter(({ status, railPaidAt }) => status === 'COMPLETED' && !railPaidAt)
  const [payer] = paying
  const faults: string[] = []
  if (paying.length !== (collection.status === 'COMPLETED' ? 1 : 0))
    faults.push(`${name} is paid by ${paying.length} of its attempts`)
  if (collection.status === 'COMPLETED' && payer) {
    const told = [collection, payer].map(({ providerCode, account, chargeMinor, totalMinor, railOrderId }) =>
      [providerCode, account, chargeMinor, totalMinor, railOrderId].join(),
    )
    if (told[0] !== told[1]) faults.push(`${name} has ${told[0]}, and was paid by ${told[1]}`)
  }
  for (const [index, { id }] of attempts.slice(1).entries()) {
    const before = attempts[index]
    const [began] = world.eventsOf(id, 'submitted')
    const verdict = before && world.eventsOf(before.id, 'settled').find(({ detail }) => detail.startsWith('FAILED'))
    if (began && (!verdict || verdict.id > began.id)) faults.push(`${name} was tried again before a verdict`)
  }
  return faults
}

/** What an attempt has moved by itself: only what was paid again, to suspense. */
export const sumsOfAttempt = (attempt: Transaction): Map<string, bigint> =>
  new Map<string, bigint>(
    attempt.railPaidAt
      ? [
          ['rail', -paidMinor(attempt)],
          ['suspense', paidMinor(attempt)],
        ]
      : [],
  )

/** Staff give back whatever customers have paid again: sometimes two of them do. */
export async function givesBack(stage: Stage, looks = 3): Promise<void> {
  const { choices, gateway } = stage
  const { world, scheduler } = gateway
  for (let look = 0; look < looks; look += 1) {
    await scheduler.sleep(choices.of(30 * MINUTE, 40 * SECOND, 5 * HOUR))
    const found = [...world.transactions.values()].map(({ transaction }) => transaction).filter(isPaidAgain)
    for (const attempt of found) {
      const give = () =>
        stage
          .insist((deps) =>
            returnFromSuspense(deps, attempt, {
              merchantReference: newMerchantReference(deps.random),
              reason: 'paid twice',
              maker: { name: 'staff' },
            }),
          )
          .catch(ignoreRefusal)
      await Promise.all(choices.rarely(0.3) === 1 ? [give(), give()] : [give()])
    }
  }
}

/** Whether another one is judged in its place: its attempt at the rail, or the collection of an attempt without a job. */
export function isJudgedElsewhere(world: MemoryWorld, { id, isAttempt }: Transaction): boolean {
  const hasJob = (of: bigint): boolean => [...world.work.values()].some(({ subjectId }) => subjectId === of)
  if (isAttempt) return !hasJob(id)
  return (world.attempts.get(id) ?? []).some(hasJob)
}

/** Staff have decided it, or its collection. */
export function isResolved(world: MemoryWorld, resolved: ReadonlySet<string>, transaction: Transaction): boolean {
  const collectionId = world.triedCollections.get(transaction.id) ?? transaction.id
  return [transaction, world.transactions.existing(collectionId).transaction].some((one) =>
    resolved.has(one.internalReference),
  )
}

/** What attempts have paid that their collections had no use for, and that is not given back. */
export const paidAgainMinor = (world: MemoryWorld): bigint =>
  [...world.transactions.values()].reduce((sum, { transaction }) => {
    if (isPaidAgain(transaction)) return sum + paidMinor(transaction)
    return isReturn(transaction) && transaction.status === 'COMPLETED' ? sum - transaction.totalMinor : sum
  }, 0n)
