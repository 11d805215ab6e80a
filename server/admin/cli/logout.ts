import type { Command } from 'commander'
import { logOut } from '../operations/login.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { currentLogin } from './current-actor.ts'
import { withDatabase } from './database.ts'
import { removeLoginToken } from './login-file.ts'
import { print, printJson } from './output.ts'
import { runAddition } from './run-change.ts'

export const define = (command: Command): void =>
  void describeLeaf(command, `${MALIPO} logout`).action(async ({ json }: { readonly json?: true }) => {
    const login = await withDatabase(async (context) => {
      const found = await currentLogin(context, context.clock.now())
      if (found) await runAddition(context, logOut, { email: found.person.email, token: found.token }, {})
      await removeLoginToken(context)
      return found
    })
    if (json) return printJson({ logged_out: login?.person.email ?? null })
    print(login ? 'You are logged out.' : 'You were not logged in.')
  })
