import { appendEntry } from '../queries/audit-log.ts'
import type { Person } from '../queries/person.ts'
import type { Queryable } from '../../storage/pool.ts'

/** What happened at the sign-in, for the audit log. */
export interface SignInEntry {
  readonly event:
    | 'sign in'
    | 'sign in refused'
    | 'sign out'
    | 'sessions end'
    | 'sign-in set up'
    | 'passkey add'
    | 'passkey remove'
    | 'token add'
    | 'token end'
  /** Undefined where nobody has the address that was typed. */
  readonly person: Person | undefined
  readonly address: string
  /** How: `password`, `passkey`, `company account`, a link. */
  readonly by?: string
  readonly now: Date
}

/**
 * Appends an entry to the audit log, as the first statement in the transaction of what it records: whoever ends the
 * access of people takes the same lock first, so the two cannot wait for each other.
 */
export function auditSignIn(client: Queryable, { event, person, address, by, now }: SignInEntry): Promise<void> {
  // Whoever is refused is nobody yet.
  const actor = event === 'sign in refused' ? undefined : person
  return appendEntry(client, {
    at: now,
    actor_kind: actorKind(actor),
    actor: actor?.name ?? 'nobody',
    role: actor?.role ?? null,
    person_id: actor?.id ?? null,
    address,
    command: event,
    subject: person?.email ?? 'an unknown account',
    merchant_id: person?.merchant_id ?? null,
    old: {},
    new: by === undefined ? {} : { by },
    reason: null,
    reference: null,
    request_id: null,
  })
}

function actorKind(actor: Person | undefined): 'staff' | 'merchant' | 'os_user' {
  if (!actor) return 'os_user'
  return actor.merchant_id === null ? 'staff' : 'merchant'
}
