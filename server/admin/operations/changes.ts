import { bookOwnMovement } from './book-own-movement.ts'
import { endException } from './end-exception.ts'
import { changeMerchant, createMerchantWithKeys } from './change-merchant.ts'
import { addProviderOfPayments, setProvider } from './change-provider.ts'
import { addRailAccount, removeRailAccount, setRailAccount } from './change-rail-account.ts'
import { resealSecrets, rotateKeys, withdrawKey } from './keys.ts'
import { removeCharges, removeLimits, setCharges, setLimits } from './merchant-terms.ts'
import { removeApprovalRule, setApprovalRule } from './approval-rules.ts'
import { depositToWallet, transferBetweenWallets } from './move-money.ts'
import type { Operation, OperationResult } from './operation.ts'
import { changePersonRole, invitePerson, resetSignIn } from './people.ts'
import { resolveTransaction } from './resolve-transaction.ts'
import { setExchangeRate } from './set-rate.ts'
import { resumeMerchant, suspendMerchant } from './suspend-merchant.ts'

/** The operations whose requests can be approved, by name: whatever a four-eyes rule may cover stands here. */
const CHANGES = [
  depositToWallet,
  transferBetweenWallets,
  resolveTransaction,
  suspendMerchant,
  resumeMerchant,
  invitePerson,
  resetSignIn,
  changePersonRole,
  bookOwnMovement,
  endException,
  createMerchantWithKeys,
  changeMerchant,
  setLimits,
  removeLimits,
  setCharges,
  removeCharges,
  rotateKeys,
  withdrawKey,
  resealSecrets,
  addProviderOfPayments,
  setProvider,
  setExchangeRate,
  setApprovalRule,
  removeApprovalRule,
  addRailAccount,
  setRailAccount,
  removeRailAccount,
]

/** An operation of which only its stored input is known, which is passed on as it is. */
type StoredChange = Operation<never, OperationResult>

const byName = new Map(CHANGES.map((change) => [change.name, change as unknown as StoredChange]))

/** The operation that a stored request names. */
export const changeNamed = (name: string): StoredChange | undefined => byName.get(name)
