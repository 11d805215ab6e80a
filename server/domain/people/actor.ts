import { MERCHANT_OPERATIONS, operationNamed, type MerchantRole, type StaffRole } from './roles.ts'

/** Who does something, as the audit log records it. */
export type Actor = Readonly<{ name: string; /** The client's, or the host of the command line. */ address: string }> &
  (
    | Readonly<{ kind: 'staff'; role: StaffRole; personId: bigint }>
    | Readonly<{ kind: 'merchant'; role: MerchantRole; personId: bigint; merchantId: bigint }>
    // The user of the machine: in the sandbox, and in live mode for what needs no login, or in an emergency.
    | Readonly<{ kind: 'os_user' | 'break_glass'; role: 'admin' }>
  )

/** Why the actor may not do it, naming the roles that may, for people; undefined when it may. */
export function refusalOf(actor: Actor, operation: string): string | undefined {
  const { roles, needs } = operationNamed(operation)
  if (needs === 'machine')
    return actor.kind === 'os_user'
      ? undefined
      : `${operation} is for whoever runs the database's machine, without a login`
  const allowed: readonly string[] = actor.kind === 'merchant' ? (MERCHANT_OPERATIONS[operation] ?? []) : roles
  if (allowed.includes(actor.role)) return undefined
  const who = allowed.length === 0 ? 'for staff' : `for the role ${allowed.join(' or ')}`
  return `${operation} is ${who}, and ${actor.name} has the role ${actor.role}`
}
