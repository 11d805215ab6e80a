import { takeForCollection, takeUnexpected, type NotTaken } from '../../actions/take-from-suspense.ts'
import { money, moneyText } from '../../domain/money.ts'
import { auditedStore } from '../../storage/store.ts'
import { endAsTaken, paymentOf } from '../queries/statements/take-exception.ts'
import { displayValues } from './display-values.ts'
import { exceptionNamed } from './exception-named.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'
import { railAccountNamed } from './rail-account-named.ts'
import { transactionNamed } from './transaction-named.ts'

interface TakeInput {
  /** What has paid: the internal reference of an attempt, or the number of an exception. */
  readonly item: string
  /** Any reference of the collection, or its id. */
  readonly collection: string
  readonly merchant?: string | undefined
  readonly reason: string
}

/** A person takes money on suspense for the collection that it was meant for: its merchant gets it, and is told. */
export const takeSuspense: Operation<TakeInput, { readonly internal_reference: string }> = {
  name: 'suspense take',
  approval: 'manual-resolution',
  async prepare(context, { item, collection: reference, merchant, reason }) {
    const collection = await transactionNamed(context, reference, merchant)
    const { internalReference, merchantId } = collection
    const payment = /^\d{1,18}$/.test(item) ? await unexpectedPayment(context, item) : undefined
    const attempt = payment ? undefined : await transactionNamed(context, item, undefined)
    const amount = payment?.amount ?? money(attempt?.amount.amountMinor ?? 0n, collection.amount.currency)
    return {
      subject: internalReference,
      merchantId,
      amount,
      async read(pool) {
        const now = await transactionNamed({ ...context, pool }, internalReference, undefined)
        return displayValues({ status: now.status, amount: moneyText(now.amount), taken: item })
      },
      async apply(pool) {
        const deps = { ...(await context.settling()), store: auditedStore(pool) }
        if (attempt) {
          const fault = await takeForCollection(deps, attempt.id, collection.id)
          if (fault) throw refused(fault, item, reference)
        }
        if (payment) {
          const taken = await takeUnexpected(deps, payment, collection.id)
          if (typeof taken === 'string') throw refused(taken, item, reference)
          if (!(await endAsTaken(pool, BigInt(item), taken.attemptId, reason, context.clock.now())))
            throw refused('not_on_suspense', item, reference)
        }
        return { internal_reference: internalReference }
      },
    }
  },
}

/** @throws OperationRefusal unless the exception keeps a payment on suspense */
async function unexpectedPayment(context: OperationContext, id: string) {
  const { rail_account: paidTo } = await exceptionNamed(context, id)
  const payment = await paymentOf(context.pool, BigInt(id))
  if (!payment) throw refused('not_on_suspense', id, '')
  if (!payment.hasRailAccount) return { ...payment, paidTo, receiptName: 'receipt' }
  const { kind } = await railAccountNamed(context, paidTo)
  return {
    ...payment,
    paidTo,
    railAccount: paidTo,
    receiptName: kind.statement?.receiptName('COLLECTION') ?? 'receipt',
  }
}

const refused = (fault: NotTaken, item: string, collection: string): OperationRefusal => {
  switch (fault) {
    case 'not_on_suspense':
      return new OperationRefusal('conflict', `${item} is no payment on suspense`, 'See what is: malipo suspense list')
    case 'going_back':
      return new OperationRefusal('conflict', `${item} is given back, or on its way back`)
    case 'no_use':
      return new OperationRefusal(
        'conflict',
        `${collection} takes no payment: only a collection that waits for its customer, or has failed, does`,
      )
    case 'other_provider':
      return new OperationRefusal('conflict', `${collection} is of another provider, or in another currency`)
    case 'other_amount':
      return new OperationRefusal('conflict', `${collection} is of another amount than ${item}`)
  }
}
