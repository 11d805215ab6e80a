import type { Writable } from 'node:stream'

/** What a terminal has shown, and when: seconds since the beginning. */
export interface Recording {
  readonly columns: number
  readonly rows: number
  readonly lines: readonly { readonly at: number; readonly text: string; readonly style: Style }[]
}

export type Style = 'plain' | 'title' | 'good' | 'bad' | 'dim'

const CODES: Readonly<Record<Style, string>> = { plain: '', title: '1', good: '32', bad: '31', dim: '2' }
const COLUMNS = 88
/** Longer waits are shown as this one: of the asciinema file, which keeps the real times, and of the picture. */
const IDLE_SECONDS = 1.5

export interface Stage {
  say(text: string, style?: Style): void
  recording(): Recording
}

/** Shows lines on a terminal, coloured where it is one, and remembers them. @param elapsedMs since the beginning */
export function createStage(output: Writable & { readonly isTTY?: boolean }, elapsedMs: () => number): Stage {
  const lines: { at: number; text: string; style: Style }[] = []
  return {
    say(text, style = 'plain') {
      lines.push({ at: elapsedMs() / 1_000, text, style })
      output.write(`${output.isTTY ? coloured(text, style) : text}\n`)
    },
    recording: () => ({ columns: COLUMNS, rows: lines.length + 1, lines }),
  }
}

const coloured = (text: string, style: Style): string =>
  CODES[style] === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`

/** As asciinema plays it: version 2 of its format. */
export function castOf({ columns, rows, lines }: Recording, title: string): string {
  const header = { version: 2, width: columns, height: rows, title, idle_time_limit: IDLE_SECONDS }
  const events = lines.map(({ at, text, style }) => [Number(at.toFixed(3)), 'o', `${coloured(text, style)}\r\n`])
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('')
}

const LINE_PX = 19
const CHARACTER_PX = 8.43
const MARGIN_PX = 16
const REST_SECONDS = 8
const FILLS: Readonly<Record<Style, string>> = {
  plain: '#d7dee7',
  title: '#ffffff',
  good: '#6fd08c',
  bad: '#ff8f80',
  dim: '#8b98a9',
}

/** A picture that plays it, over and over, without a script; whoever wants no motion sees the end of it. */
export function svgOf({ columns, lines }: Recording, title: string): string {
  const times = shortened(lines.map(({ at }) => at))
  const total = (times.at(-1) ?? 0) + REST_SECONDS
  const [width, height] = [Math.ceil(columns * CHARACTER_PX) + 2 * MARGIN_PX, lines.length * LINE_PX + 2 * MARGIN_PX]
  const rules = times.map((at, index) => {
    const percent = ((100 * at) / total).toFixed(2)
    return `@keyframes l${index}{0%,${percent}%{opacity:0}${(Number(percent) + 0.01).toFixed(2)}%,100%{opacity:1}}.l${index}{animation:l${index} ${total.toFixed(1)}s infinite}`
  })
  const texts = lines.map(
    ({ text, style }, index) =>
      `<text class="l${index}" x="${MARGIN_PX}" y="${MARGIN_PX + 14 + index * LINE_PX}" fill="${FILLS[style]}"${style === 'title' ? ' font-weight="bold"' : ''} xml:space="preserve">${escaped(text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">
<title>${escaped(title)}</title>
<style>@media (prefers-reduced-motion:no-preference){${rules.join('')}}</style>
<rect width="100%" height="100%" rx="8" fill="#10161d"/>
${texts.join('\n')}
</svg>
`
}

/** Without waits above the limit. */
function shortened(times: readonly number[]): readonly number[] {
  let before = 0
  let shown = 0
  return times.map((at) => {
    shown += Math.min(at - before, IDLE_SECONDS)
    before = at
    return shown
  })
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
