import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { databaseUrl } from '../testing/database.ts'
import { databaseTest } from '../testing/database-test.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { testNightly } from '../testing/nightly.ts'
import { treeOfToday, type ReleaseTree } from '../testing/release-tree.ts'
import { mobileMoneyPayout, payOut, uniqueReference } from '../testing/requests.ts'
import { runCli, until } from '../testing/served-gateway.ts'

// A worker of a release that knows no approvals, beside an API that makes payouts wait for them.

const FINISHED_MS_MAX = 60_000

const { pool, connection } = await databaseTest()
const env = {
  DATABASE_URL: databaseUrl(connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
  MALIPO_SANDBOX_DELAY_MS: '50',
}
const { start, endAll, folder } = gatewayProcesses(env)

/** This release without the job kind: stands for every older release, also one that can no longer run beside it. */
async function unaware(): Promise<ReleaseTree> {
  const tree = await treeOfToday()
  for (const [file, text] of [
    ['jobs/queues.ts', "    queue('expireApproval', inSets, (deps) => (items) => [expireApprovals(deps, items)]),\n"],
    ['actions/ports/jobs.ts', "  'expireApproval',\n"],
  ] as const) {
    const path = join(dirname(tree.cli), file)
    const source = await readFile(path, 'utf8')
    expect(source.split(text)).toHaveLength(2)
    await writeFile(path, source.replace(text, ''))
  }
  return tree
}

testNightly('a worker that lacks the job kind leaves waiting payouts alone', { timeout: 240_000 }, async () => {
  const [older, newer] = [await unaware(), await treeOfToday()]
  onTestFinished(async () => {
    await endAll()
    for (const tree of [older, newer]) await tree.remove()
  })
  const command = (...args: readonly string[]) => runCli(args, join(folder, 'staff'), env, newer.cli)

  const { url } = await start({ cli: newer.cli, role: 'api' }) // which migrates
  await start({ cli: older.cli, role: 'worker' })
  await command('approval', 'rules', 'set', 'payouts', '--currency', 'UGX', '--from', '30000')
  const pay = async (amount: number): Promise<string> => {
    const reference = uniqueReference()
    const body = mobileMoneyPayout({ merchant_reference: reference, account_number: '256772000123', amount })
    expect((await payOut(url, body)).status).toBe(202)
    return reference
  }
  const become = (reference: string, status: string, message: string) =>
    until(
      async () =>
        (
          await pool.query(
            'select from transactions where merchant_reference = $1 and status = $2 and status_message = $3',
            [reference, status, message],
          )
        ).rowCount === 1,
      FINISHED_MS_MAX,
      `${reference} is ${status}: ${message}`,
    )
  const completed = (reference: string) => become(reference, 'COMPLETED', 'Transaction Completed Successfully')
  const [approved, ignored] = [await pay(30_000), await pay(40_000)]

  // Even a job that is due is none of the older worker's, which goes on with everything else.
  await pool.query(`update jobs set due_at = now() - interval '1 minute' where kind = 'expireApproval'`)
  await completed(await pay(20_000))
  for (const reference of [approved, ignored]) await become(reference, 'PENDING', "Waiting for the merchant's approver")
  expect((await pool.query(`select attempt from jobs where kind = 'expireApproval'`)).rows).toEqual([
    { attempt: 0 },
    { attempt: 0 },
  ])

  // What is approved it takes on like any other payout.
  const waiting = JSON.parse(await command('approval', 'list', '--json')) as {
    id: number
    merchant_reference: string
  }[]
  const request = waiting.find(({ merchant_reference: reference }) => reference === approved)
  await command('approval', 'approve', String(request?.id))
  await completed(approved)

  await pool.query(`update approvals set expires_at = now() - interval '1 minute' where state = 'waiting'`)
  await start({ cli: newer.cli, role: 'worker' })
  await become(ignored, 'FAILED', 'Payout was not approved in time')
  expect(JSON.parse(await command('doctor', '--json'))).toMatchObject({ clean: true })
})
