import { refusalOf } from '../../../domain/people/actor.ts'
import { OPERATIONS } from '../../../domain/people/roles.ts'
import { success } from '../../../http/envelope.ts'
import type { AdminHandler } from '../handler.ts'

export const showMe: AdminHandler<'showMe'> = async ({ context: { actor } }) =>
  success(`You are ${actor.name}`, {
    name: actor.name,
    role: actor.role,
    ...(actor.kind === 'merchant' && { merchant_id: String(actor.merchantId) }),
    operations: Object.keys(OPERATIONS).filter((name) => refusalOf(actor, name) === undefined),
  })
