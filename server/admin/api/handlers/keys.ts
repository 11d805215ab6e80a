import { success } from '../../../http/envelope.ts'
import { isValid, rotateKeys, withdrawKey } from '../../operations/keys.ts'
import { merchantNamed } from '../../operations/merchant-named.ts'
import { listKeys, listRsaKeys } from '../../queries/key-rotation.ts'
import { changed, inputOf, type AdminHandlers } from '../handler.ts'
import { wire } from '../wire.ts'

export const KEYS = {
  async listKeys({ context, params }) {
    const { pool, clock } = context
    const { id } = await merchantNamed(context, params.merchant)
    const now = clock.now()
    const keys = (await listKeys(pool, id)).map((key) => ({ ...key, valid: isValid(key, now) }))
    return success('Keys', { items: wire(keys) })
  },
  rotateKey: (call) => changed(call, rotateKeys, inputOf(call)),
  listRsaKeys: async ({ context: { pool } }) =>
    success('RSA keys', {
      items: (await listRsaKeys(pool)).map((key, index) => wire({ ...key, signs: index === 0 })),
    }),
  rotateRsaKey: (call) => changed(call, rotateKeys, { rsa: true }),
  withdrawRsaKey: (call) => changed(call, withdrawKey, { rsa_key_id: call.params.key }),
} satisfies Partial<AdminHandlers>
