// What the kit plays an operator with: `malipo-rail test` reads it from a file of the rail's author.
export {
  fieldsAt,
  type BookedOrder,
  type Change,
  type Counterpart,
  type Feature,
  type Lie,
  type Refusal,
  type StatementWords,
  type Verdict,
  type Words,
} from '../conformance/counterpart.ts'
export { backwards, NO_PAYMENT, NO_REFUND } from '../conformance/counterparts/refunds.ts'
export type { OperatorRequest, WholeAnswer } from '../testing/scripted-operator.ts'
