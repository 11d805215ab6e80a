import { success } from '../../../http/envelope.ts'
import { merchantNamed, ownMerchant } from '../../operations/merchant-named.ts'
import { changePersonRole, endPersonAccess, invitePerson, personNamed, resetSignIn } from '../../operations/people.ts'
import { listPeople } from '../../queries/people.ts'
import type { Person as StoredPerson } from '../../queries/person.ts'
import { changed, type AdminData, type AdminHandler, type AdminHandlers } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'

type Person = AdminData<'listPeople'>['items'][number]

const recordOf = (person: StoredPerson): Person => wire<Person>(person)

const list: AdminHandler<'listPeople'> = async ({ context, query: { merchant, after, limit = 50 } }) => {
  const named = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
  const merchantId = named ?? ownMerchant(context) ?? null
  const found = await listPeople(context.pool, {
    merchantId,
    after: idOfCursor(after),
    limit: limit + 1,
  })
  const { items, ...rest } = pageOf(found, limit, ({ id }) => String(id))
  return success(counted(items, 'person', 'people'), { ...rest, items: items.map(recordOf) })
}

/** Who has access, and with which role. */
export const PEOPLE_HANDLERS = {
  listPeople: list,
  async showPerson({ context, params }) {
    const person = await personNamed(context, params.person)
    return success(person.name, recordOf(person))
  },
  invitePerson(call) {
    const { reason: _reason, merchant = ownMerchant(call.context)?.toString(), ...given } = call.body
    return changed(call, invitePerson, { ...given, merchant })
  },
  resetSignIn: (call) => changed(call, resetSignIn, call.params),
  changePersonRole: (call) => changed(call, changePersonRole, { ...call.params, role: call.body.role }),
  endPersonAccess: (call) => changed(call, endPersonAccess, call.params),
} satisfies Partial<AdminHandlers>
