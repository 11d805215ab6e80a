import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { InvalidArgumentError, type Command } from 'commander'
import { actorOf } from '../queries/person.ts'
import { logIn, wrongCode } from '../operations/login.ts'
import { personOfToken, TOKEN_BYTES } from '../queries/person-tokens.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf, parseSpan } from './command.ts'
import { withDatabase } from './database.ts'
import { writeLoginToken } from './login-file.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { runAddition } from './run-change.ts'
import { lineFor } from './staff-action.ts'

const DEFAULT_SECONDS = 12 * 3_600
const MAX_SECONDS = 90 * 24 * 3_600

export function define(command: Command): void {
  describeLeaf(
    command
      .argument('[code]', `the one-time code that ${MALIPO} people invite printed; without it, it is asked for`)
      .option('--for <span>', 'how long the login lasts, at most 90d', parseFor, DEFAULT_SECONDS),
    `${MALIPO} login`,
    `${MALIPO} login --for 7d`,
  ).action(login)
}

function parseFor(text: string): number {
  const seconds = parseSpan(text)
  if (seconds === 0 || seconds > MAX_SECONDS) throw new InvalidArgumentError('It must be above 0 and at most 90d.')
  return seconds
}

async function login(given: string | undefined, { for: seconds, json }: { for: number; json?: true }): Promise<void> {
  // The prompt keeps the code out of the history of the shell.
  const code = given ?? (await lineFor('One-time code: ', process.stdin, process.stderr))
  const { person, expiresAt } = await withDatabase(async (context) => {
    const { pool, clock } = context
    const person = await personOfToken(pool, 'login_code', code, clock.now())
    if (!person || person.merchant_id !== null) throw wrongCode()
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const actor = actorOf(person, hostname())
    const input = { email: person.email, code, token, seconds }
    const { expires_at: expiresAt } = await runAddition({ ...context, actor }, logIn, input, {})
    await writeLoginToken(context, token)
    return { person, expiresAt }
  })
  if (json) return printJson({ email: person.email, role: person.role, expires_at: expiresAt })
  print(`You are ${printable(person.name)} with the role ${person.role}, until ${shortTime(new Date(expiresAt))}.`)
}
