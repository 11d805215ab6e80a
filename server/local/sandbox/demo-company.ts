import { readLogo } from '../../domain/logo.ts'
import type { MerchantRole, StaffRole } from '../../domain/people/roles.ts'
import { applyChange, type AuditedAction } from '../../admin/queries/audit-log.ts'
import { changeBrand } from '../../admin/queries/merchant-brand.ts'
import { findMerchant } from '../../admin/queries/merchants.ts'
import { invitePerson } from '../../admin/queries/people.ts'
import { present } from '../../domain/present.ts'
import type { Pool } from '../../storage/pool.ts'
import { DEMO_MERCHANT } from './providers.ts'

/** Whoever starts the sandbox is its admin. */
const ACTOR = { kind: 'os_user', role: 'admin', name: 'sandbox', address: 'localhost' } as const

/** A stall, drawn for the sandbox: PNG, 96 × 96. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAABgBAMAAAAQtmoLAAAAJFBMVEX///////7+///07dv2v1j2vlVeg2USYV0QX1wPX1wOX1wJW1nF' +
  'Rwi0AAACBklEQVR42u2WT2sTQRiHnzcJFgQ7s9t4k5Ld5qwiAUHworlaBOk3UL+EH6JnP0ohrSg9eEgF8dpuGhW8NM2ml7Sl7XjIbv7s' +
  'zm4TkHjZPf3YeR/eeWfe+c3IRxb7ShRAARTA8oDKWPVz45w04E8N9FPahEnAHORmWFMJwKgAMAQhID56RkPFaGsNOgoy/VltK1qHAOJM' +
  'xqa1BYimRohYdNF8BVAA/xKQ3wAMPEBck9RiUhlCDSCPNBDWUvq5Tp5pdXkMyNpP35gVL6kdSWW490Ij1JsPg86v5hMNMtYaqX6O48qv' +
  '4iJ+qOH5xua+N7xbf7+vhhf+WHfY2JS0zTyoXh89/bJeF5p761WhuRfp2m75zadaGih9M9+frZbaDdXyOWyoXY92Q7V8Q2/lumYzMveP' +
  'AtzDgQ/uEV6skX6W8w0AXHdi9SMd+7DNKp20nZpcb+2rNLCaDZiv9v45zsyQcQvdyQR8a3yQXUOwyLUbbUa0hKeheKO6OrmAvv96JHYG' +
  '3S0ArrZvcjPwctRmO1B5rIHz7fwp0esCaMAcaJDLW2rAOYsBcTTIxX98zeTd5nnA6KGg5wXC8odIdGW+DL1ePLU5p1Sq3dJVSeAmWL57' +
  'm0UByaxBnbybCTQaMJW3IGdWwDRmt+s0BKhszR6i6VU6aVsO+FVrstZJoGTzgOTP4mIvgAJYJvAXubGdnEMXUrAAAAAASUVORK5CYII='

const BRAND = { colour: '#0f5f5c', supportContact: 'mailto:help@duka.example' } as const

/** The sandbox's staff beside its admin, whom the sign-in invites. */
const STAFF: readonly (readonly [StaffRole, name: string, email: string])[] = [
  ['finance', 'Wanjiru Kamau', 'finance@sandbox.localhost'],
  ['support', 'Joseph Okello', 'support@sandbox.localhost'],
  ['developer', 'Neema Mushi', 'developer@sandbox.localhost'],
  ['read-only', 'Kwame Asante', 'read-only@sandbox.localhost'],
]
const PEOPLE: readonly (readonly [MerchantRole, name: string, email: string])[] = [
  ['owner', 'Amina Nakato', 'owner@duka.localhost'],
  ['finance', 'Juma Mwangi', 'finance@duka.localhost'],
  ['developer', 'Grace Uwase', 'developer@duka.localhost'],
  ['read-only', 'Peter Phiri', 'read-only@duka.localhost'],
]

/** Gives the demo merchant a logo and people, and the sandbox staff. They sign in once an admin makes them a link. */
export async function addDemoCompany(pool: Pool, now: Date): Promise<void> {
  const { id } = present(await findMerchant(pool, DEMO_MERCHANT.keys.publicKey), 'the demo merchant')
  const action = (command: string, subject: string, merchantId?: bigint): AuditedAction => ({
    actor: ACTOR,
    command,
    subject,
    merchantId,
    reason: undefined,
  })
  const read = async () => ({})
  await applyChange(
    pool,
    action('merchant brand', DEMO_MERCHANT.keys.publicKey),
    {
      read,
      apply: (audited) => changeBrand(audited, id, { ...BRAND, logo: readLogo(Buffer.from(LOGO, 'base64')) }),
      done: { ...BRAND, logo: 'image/png' },
    },
    now,
  )
  const people = [
    ...STAFF.map(([role, name, email]) => ({ role, name, email, merchantId: null })),
    ...PEOPLE.map(([role, name, email]) => ({ role, name, email, merchantId: id })),
  ]
  for (const person of people)
    await applyChange(
      pool,
      action('people invite', person.email, person.merchantId ?? undefined),
      {
        read,
        apply: (audited) => invitePerson(audited, person, now),
        done: { name: person.name, role: person.role },
      },
      now,
    )
}
