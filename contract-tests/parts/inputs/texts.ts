/** 0x20 to 0x7e. */
export const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const DIGITS = '0123456789'

/**
 * Names of real people, and names that break programs. Each has 10 to 30 code points, so it is a valid description
 * too.
 */
export const SCRIPTS: Readonly<Record<string, string>> = {
  Arabic: 'محمد عبد الله النجار',
  Amharic: 'አበበ ቢቂላ ወልደ ማርያም',
  Chinese: '司马相如与卓文君的故事书',
  Hindi: 'श्री राजेश कुमार',
  Hebrew: 'דוד בן־גוריון הזקן',
  Cyrillic: 'Александр Пушкин',
  Vietnamese: 'Nguyễn Thị Hồng Đào',
  'Latin with accents': 'Zoë Nuñez-Çelik Ærøskøbing',
  'composed letters': 'Ren\u00e9e \u00c5ngstr\u00f6m',
  'combining marks': 'Rene\u0301e A\u030angstro\u0308m',
  emoji: '😀 Amina 👩‍👩‍👧‍👦 🇺🇬 👍🏽',
  'letters beyond the first plane': '𝒜𝓂𝒾𝓃𝒶 𝒩𝒶𝓀𝒶𝓉𝑜 𠮷野家',
  'a right-to-left mark': 'Amina \u200fעברית\u200e Nakato',
  'a zero-width joiner': 'Ami\u200dna Na\u200ckato',
  'a no-break space': 'Amina\u00a0Nakato\u2009Okello',
  'line separators': 'Amina\u2028Nakato\u2029Okello',
  'quotes and slashes': `O'Brien "Bob" \\ / \`x\``,
  markup: '<b>Amina</b> &amp; <i>Co</i>',
  'what templates read': '${name} {{name}} %s %00 #{}',
  'what SQL reads': "Robert'); drop table x;--",
  'what spreadsheets read': '=1+1 @sum(A1) +2 -3 |x',
  'words of programs': 'null undefined NaN true',
  'a byte order mark inside': 'Amina\ufeffNakato \ufffd end',
  'a private letter': 'Amina \ue000\uf8ff Nakato',
}

/** Split into pieces of at most so many characters, the last one padded with harmless characters. */
export function pieces(text: string, length: number): readonly string[] {
  const count = Math.ceil(text.length / length)
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * length, (index + 1) * length).padEnd(length, 'x'),
  )
}
