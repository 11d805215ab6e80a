import type { Actor } from '../../domain/people/actor.ts'
import type { MerchantRole, StaffRole } from '../../domain/people/roles.ts'

/** A member of staff, or a person of a merchant. */
export interface Person {
  readonly id: bigint
  /** Null for staff. */
  readonly merchant_id: bigint | null
  readonly email: string
  readonly name: string
  readonly role: string
  readonly created_at: Date
  /** When the access ended; null while there is one. */
  readonly ended_at: Date | null
}

/** The actor that a person with access is. */
export const actorOf = ({ id, name, role, merchant_id: merchantId }: Person, address: string): Actor =>
  merchantId === null
    ? { kind: 'staff', personId: id, name, role: role as StaffRole, address }
    : { kind: 'merchant', personId: id, merchantId, name, role: role as MerchantRole, address }
