import type { Command } from 'commander'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { currentLogin } from './current-actor.ts'
import { withDatabase } from './database.ts'
import { printFields, printJson } from './output.ts'

export const define = (command: Command): void =>
  void describeLeaf(command, `${MALIPO} whoami`).action(async ({ json }: { readonly json?: true }) => {
    const { actor, login } = await withDatabase(async (context) => ({
      actor: context.actor,
      login: await currentLogin(context, context.clock.now()),
    }))
    const { name, kind, role } = actor
    const known = { name, kind, role, email: login?.person.email, expires_at: login?.expiresAt.toISOString() }
    if (json) return printJson(known)
    printFields(login ? Object.entries(known) : [['name', `${name}, the user of this machine, without a login`]])
  })
