import type { Command } from 'commander'
import { anchorLine, differenceFromAnchors } from '../../domain/chain-anchor.ts'
import { readAuditLinks, verifyAuditLog } from '../queries/audit-chain.ts'
import { auditEntry, listAuditLog, type AuditEntry } from '../queries/audit-log.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit } from './command.ts'
import { withDatabase } from './database.ts'
import { readAnchors } from './doctor-anchors.ts'
import { FAILED, notFound } from './errors.ts'
import { note, print, printable, printJson, shortTime } from './output.ts'
import { firstPage, parseId } from './pages.ts'
import { changeLines } from './staff-action.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} audit list`)
  addLeaf(
    group,
    'list',
    'list what people changed, the newest first: who, why, old and new values',
    `${MALIPO} audit list --limit 20`,
    `${MALIPO} audit list --subject mtn_ug`,
    `${MALIPO} audit list --by Amina`,
  )
    .option(
      '--subject <name>',
      "only of this merchant's public key, provider, rail account, currencies, transaction, month or person's address",
    )
    .option('--by <name>', 'only by this person')
    .option('--after <place>', 'the next page: the end that the previous page printed')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 50)
    .action(list)
  addLeaf(group, 'show', 'show one entry with all that is stored of it', `${MALIPO} audit show 12`)
    .argument('<id>', 'the number of the entry')
    .action(show)
  addLeaf(
    group,
    'verify',
    'recompute the hash chain of the audit log and print its head: store that line elsewhere, and compare it later',
    `${MALIPO} audit verify`,
    `${MALIPO} audit verify --anchor /media/safe/audit.txt`,
  )
    .option('--anchor <file>', 'compare with lines that it printed before')
    .action(verify)
}

interface ListOptions {
  readonly subject?: string
  readonly by?: string
  readonly after?: string
  readonly limit: number
  readonly json?: true
}

async function list({ subject, by, after, limit, json }: ListOptions): Promise<void> {
  const filter = { subject, actor: by, before: after === undefined ? undefined : parseId(after) }
  const found = await withDatabase(({ pool }) => listAuditLog(pool, { ...filter, limit: limit + 1 }))
  const page = firstPage(found, limit, ({ id }) => String(id))
  if (json) printJson(page.map(toRecord))
  else for (const entry of page) print(textOf(entry))
  if (page.length === 0) note(subject === undefined ? 'No entry.' : `No entry of ${subject}.`)
}

/** Leaves out what an entry does not have. */
const toRecord = (entry: AuditEntry) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))

const whoOf = ({ actor, actor_kind: kind, role }: AuditEntry): string => {
  if (kind === 'break_glass') return `${printable(actor)} (BREAK GLASS)`
  return role === null || kind === 'os_user' ? printable(actor) : `${printable(actor)} (${role})`
}

function textOf(entry: AuditEntry): string {
  const { id, at, command, subject, reason, reference } = entry
  return [
    `${id}  ${shortTime(at)}  ${whoOf(entry)}  ${command} ${printable(subject)}`,
    `  ${reason === null ? 'no reason given' : `because ${printable(reason)}`}${reference === null ? '' : ` (reference ${printable(reference)})`}`,
    ...changeLines(entry),
  ].join('\n')
}

async function show(text: string, { json }: { readonly json?: true }): Promise<void> {
  const id = /^\d{1,18}$/.test(text) ? BigInt(text) : 0n
  const entry = await withDatabase(({ pool }) => auditEntry(pool, id))
  if (!entry) throw notFound(`malipo: there is no entry ${text}.\nSee the newest: ${MALIPO} audit list`)
  if (json) return printJson(toRecord(entry))
  print(textOf(entry))
  const { address, person_id: personId, merchant_id: merchantId, request_id: requestId, seq } = entry
  for (const [name, value] of Object.entries({
    from: address,
    person: personId,
    merchant: merchantId,
    request: requestId,
    link: seq,
  }))
    if (value !== null) print(`  ${name} ${printable(String(value))}`)
}

async function verify({ anchor, json }: { readonly anchor?: string; readonly json?: true }): Promise<void> {
  const anchors = anchor === undefined ? [] : readAnchors(anchor)
  const seqs = anchors.map(({ seq }) => seq)
  const { head, faults } = await withDatabase(async ({ pool }) => {
    const { head, faults } = await verifyAuditLog(pool)
    const difference = differenceFromAnchors(anchors, await readAuditLinks(pool, seqs))
    return { head, faults: difference === undefined ? faults : [...faults, difference] }
  })
  if (json) printJson({ intact: faults.length === 0, faults, head: head ? anchorLine(head) : null })
  else {
    for (const fault of faults) print(`WRONG  ${printable(fault)}`)
    if (head) print(anchorLine(head))
    note(faults.length === 0 ? 'The audit log is as it was written.' : 'The audit log was changed.')
  }
  if (faults.length > 0) process.exitCode = FAILED
}
