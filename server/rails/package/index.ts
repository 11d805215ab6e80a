// What a rail from outside this tree is made of: the types of the port, and what the rails of the tree share.
export type {
  AccountMessage,
  CallbackReading,
  HolderKnowledge,
  KnownOutcome,
  PayerReferenceChoice,
  PayerReferenceRequest,
  PaymentQuestion,
  RailAnswer,
  RailBalance,
  RailKnowledge,
  RailOrder,
  RailTraits,
  ReceivedCallback,
  RefundOrder,
  UnrequestedPayment,
} from '../../actions/ports/rail.ts'
export { PAYER_REFERENCE } from '../../actions/ports/rail-references.ts'
export type { Failure, FailureCode } from '../../domain/failure-code.ts'
export { maskText } from '../../domain/masking/mask-text.ts'
export {
  amountText,
  decimalsOf,
  formatMoney,
  money,
  moneyFromWire,
  type Currency,
  type Money,
} from '../../domain/money.ts'
export { maskAccount } from '../../domain/phone.ts'
export type { TransactionType } from '../../domain/provider.ts'
export { isObject } from '../../../openapi/reading/json.ts'
export { customerText, plainPattern } from '../customer-text.ts'
export type { Drift } from '../drifted-field.ts'
export { withOwnCode } from '../failure-codes.ts'
export { fieldAt, listOf, textOf } from '../foreign-fields.ts'
export type { OperatorContract } from '../operator-contract.ts'
export { NoAnswer, NotSent } from '../operator-errors.ts'
export {
  askingAt,
  unusedId,
  unusedUuid,
  type Probe,
  type ProbedFact,
  type ProbeList,
  type ProbeReply,
} from '../probe.ts'
export {
  SettingFault,
  type Adapter,
  type CheckRow,
  type ExchangeAbout,
  type RailKind,
  type RailSetting,
  type RailWorld,
  type SandboxRailAccount,
  type SettingValues,
  type SharedToken,
  type SharedTokens,
  type StatementForm,
  type StatementLine,
} from '../rail-kind.ts'
export { RAIL_PORT, railPackage, type RailPackage } from '../rail-package.ts'
export { allOrNone, declaredValues, needed, type DeclaredValues } from '../read-settings.ts'
export { oneOf, plainText, seconds, wholeNumber } from '../setting-faults.ts'
export { createTokens, sharedBy, type FetchedToken } from '../tokens.ts'
