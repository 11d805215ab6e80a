import { present } from '../../../domain/present.ts'
import { RAIL_KINDS } from '../../registry.ts'
import type { Counterpart } from '../counterpart.ts'

interface CounterpartModule {
  readonly COUNTERPARTS: readonly Counterpart[]
}

/** Every rail kind in each of its directions: `testing/counterparts.ts` in the folder of each. */
export const COUNTERPARTS: readonly Counterpart[] = (
  await Promise.all(
    RAIL_KINDS.map(({ name }) => import(`../../${name}/testing/counterparts.ts`) as Promise<CounterpartModule>),
  )
).flatMap((module) => module.COUNTERPARTS)

const first = (what: string, fits: (counterpart: Counterpart) => boolean): Counterpart =>
  present(COUNTERPARTS.find(fits), what)

const isRefund = ({ collectionOf }: Counterpart): boolean => collectionOf !== undefined
const isCollection = (counterpart: Counterpart): boolean => counterpart.type === 'COLLECTION' && !isRefund(counterpart)

/**
 * One direction of each rail kind, in turn, and its refunds: `npm test` holds these against every rule, the slow tests
 * the others.
 */
export const HELD_AT_ONCE: readonly Counterpart[] = RAIL_KINDS.flatMap(({ name, types }, index) =>
  COUNTERPARTS.filter(
    (counterpart) =>
      counterpart.kind.name === name && (isRefund(counterpart) || counterpart.type === types[index % types.length]),
  ),
)

// Examples of each sort, for wrong adapters.
/** A collection that the operator knows again by our id. */
export const KNOWN_COLLECTION = first('a collection', (each) => isCollection(each) && !each.lacks.idempotency)
/** A collection that would be charged twice. */
export const NEVER_COLLECTION = first('a prompt', (each) => isCollection(each) && !!each.lacks.idempotency)
/** A collection whose messages come to the one address of the rail account. */
export const ACCOUNT_COLLECTION = first('a collection', (each) => isCollection(each) && !each.lacks.account_address)
/** A payout that may end in the answer to its order. */
export const IMMEDIATE_PAYOUT = first('a payout', (each) => each.type === 'PAYOUT' && !each.lacks.immediate)
/** A payout whose status query is answered at once. */
export const QUERIED_PAYOUT = first('a payout', (each) => each.type === 'PAYOUT' && !each.lacks.query)
/** A payout that is reported by message only. */
export const REPORTED_PAYOUT = first('a payout', (each) => each.type === 'PAYOUT' && !!each.lacks.query)
/** A refund that the operator knows again by our id. */
export const KNOWN_REFUND = first('a refund', (each) => isRefund(each) && !each.lacks.idempotency)
/** A refund that is sent once, and reported by message only. */
export const NEVER_REFUND = first('a refund', (each) => isRefund(each) && !!each.lacks.idempotency)
