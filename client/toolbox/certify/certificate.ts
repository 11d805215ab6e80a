import { WORDS } from '../check/report.ts'
import type { Outcome } from '../check/judge.ts'

/** The end of a run. */
interface Certificate {
  readonly outcomes: readonly Outcome[]
  readonly url: string
  readonly at: Date
  /** How many lives there are. */
  readonly of: number
}

const COLOURS = { green: '#1a7f37', red: '#c62828' } as const

function summaryOf({ outcomes, of }: Certificate) {
  const right = outcomes.filter(({ verdict }) => verdict === 'ok').length
  return { text: `${right}/${of} lives`, colour: right === of ? 'green' : 'red', isPassed: right === of } as const
}

/** The badge as SVG, or as an endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
export function badgeOf(certificate: Certificate, file: string): string {
  const { text, colour, isPassed } = summaryOf(certificate)
  const [label, message] = ['malipo', isPassed ? `certified, ${text}` : text]
  if (file.endsWith('.json')) return `${JSON.stringify({ schemaVersion: 1, label, message, color: colour })}\n`
  const [left, right] = [52, message.length * 6 + 14]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<rect width="${left + right}" height="20" rx="3" fill="#444"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${COLOURS[colour]}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14" textLength="${right - 14}">${message}</text></g>
</svg>
`
}

/** The report of every life, as Markdown, HTML or JSON. */
export function certificateOf(certificate: Certificate, file: string): string {
  const { outcomes, url, at } = certificate
  const { text, isPassed } = summaryOf(certificate)
  const title = isPassed ? `Certified: ${text}` : `Not certified: ${text}`
  const about = `${url}, ${at.toISOString()}`
  const rows = outcomes.map(({ row, verdict, did, sent }) => ({
    id: row.id,
    verdict: WORDS[verdict],
    life: row.title,
    sent,
    should: row.correct,
    did,
    why: row.why,
  }))
  if (file.endsWith('.json'))
    return `${JSON.stringify({ certified: isPassed, result: text, url, at, lives: rows }, null, 2)}\n`
  const heads = ['Life', 'Verdict', 'Sent', 'A correct shop', 'This one', 'Why it matters']
  const cells = rows.map(({ life, verdict, sent, should, did, why }) => [
    [life],
    [verdict],
    sent,
    [should],
    [did],
    [why],
  ])
  if (file.endsWith('.md')) {
    const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
    const table = cells.map((row) => line(row.map((lines) => lines.map(inMarkdown).join('<br>'))))
    return [`# ${title}`, '', inMarkdown(about), '', line(heads), line(heads.map(() => '---')), ...table, ''].join('\n')
  }
  const tr = (tag: 'th' | 'td', texts: readonly string[], verdict = '') =>
    `<tr class="${verdict}">${texts.map((cell) => `<${tag}>${cell}`).join('')}`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:24px}table{border-collapse:collapse}th,td{border:1px solid #8886;padding:6px 8px;text-align:left;vertical-align:top;overflow-wrap:break-word}.wrong td:nth-child(2){color:#c62828;font-weight:700}td:nth-child(3){font:12px/1.5 monospace}.table{overflow-x:auto}</style>
<h1>${title}</h1><p>${inHtml(about)}</p>
<div class="table"><table>${[
    tr('th', heads),
    ...cells.map((row) => {
      const texts = row.map((lines) => lines.map(inHtml).join('<br>'))
      return tr('td', texts, row[1]?.[0])
    }),
  ].join('\n')}</table></div>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const inHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
/** What a shop answered must not become markup. */
const inMarkdown = (text: string): string => inHtml(text).replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
