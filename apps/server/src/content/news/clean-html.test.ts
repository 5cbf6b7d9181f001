import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml, isBlankHtml } from './clean-html.ts'

/** The allowed output besides text: the listed tags with the listed attributes. */
const TAG =
  /<(?:td|th)(?: (?:colspan|rowspan)="[1-9]\d?")*>|<\/?(?:table|caption|thead|tbody|tfoot|tr|td|th|p|h[234]|strong|em|u|s|code|pre|blockquote|ul|ol|li)>|<(?:br|hr) \/>|<a(?: href="https?:\/\/[^"<>\s]*" rel="noopener noreferrer nofollow")?>|<\/a>|<img src="\/files\/[\w-]{8,64}\.(?:png|jpe?g|webp)"(?: alt(?:="[^"<>]*")?)? \/>|<img alt(?:="[^"<>]*")? src="\/files\/[\w-]{8,64}\.(?:png|jpe?g|webp)" \/>/g
const restOf = (html: string): string => html.replace(TAG, '')

const HOSTILE = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="/files/abcdefgh.png" onerror="alert(1)">',
  '<img src="https://elsewhere.example/pixel.png">',
  '<img src="//elsewhere.example/pixel.png">',
  '<img src="/files/../../secret.png">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<iframe src="https://elsewhere.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//elsewhere.example">x</a>',
  '<a href="https://ok.example/&quot;onmouseover=alert(1)">x</a>',
  '<a href="https://ok.example" target="_blank" onclick="alert(1)" style="position:fixed">x</a>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<style>@import "https://elsewhere.example";</style>',
  '<link rel="stylesheet" href="https://elsewhere.example">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://elsewhere.example/">',
  '<form action="https://elsewhere.example"><input name="password"><button>Log in</button></form>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror="alert(1)"></video><audio src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><p>x</p>',
  '<p/onclick=alert(1)>x</p>',
  '<p\tonclick=alert(1)>x</p>',
  '<p id="login" class="fixed" name="x">x</p>',
  '<img src="/files/abcdefgh.png" alt="&quot;><script>alert(1)</script>">',
  '"><svg/onload=alert(1)>',
  '<<p>script>alert(1)<</p>/script>',
  '<a href="https://ok.example"><a href="javascript:alert(1)">x</a></a>',
  '\u0000<script\u0000>alert(1)</script>',
  '＜script＞alert(1)＜/script＞',
] as const

test.each(HOSTILE)('leaves of %j nothing that runs, loads or redirects', (html) => {
  const clean = cleanHtml(html)
  expect(restOf(clean)).not.toMatch(/[<>]/)
  expect(cleanHtml(clean)).toBe(clean)
})

test('leaves only the listed tags of any combination, and is idempotent in its text', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.constantFrom('<p>', '</p>', '<', '>', '"', "'", '&lt;', '&#60;', '<!--', '-->', '\u0000', '<ul><li>'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const clean = cleanHtml(pieces.join(''))
      expect(restOf(clean)).not.toMatch(/[<>]/)
      // Unclosed tags may be closed in another place.
      expect(restOf(cleanHtml(clean)).trim()).toBe(restOf(clean).trim())
    }),
    { numRuns: 2_000 },
  )
})

test('does not change what the editor writes', () => {
  const written =
    '<h2>Hours</h2><p>Gold <strong>opens</strong> <em>at</em> <u>eight</u>.<br />See <a href="https://ok.example/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">here</a>.</p><ul><li><p>One</p></li></ul><blockquote><p>Two</p></blockquote><hr /><img src="/files/abcdefgh.png" alt="A chart" />'
  expect(cleanHtml(written)).toBe(written)
})

test('keeps links to http(s) addresses only, without a referrer', () => {
  expect(cleanHtml('<a href="https://ok.example">x</a>')).toBe(
    '<a href="https://ok.example/" rel="noopener noreferrer nofollow">x</a>',
  )
  for (const href of ['mailto:a@b.example', '/mine/charge', '#', 'ftp://a.example', ''])
    expect(cleanHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>')
})

test('keeps a table a table, with cells that span others', () => {
  const table =
    '<table><caption>Gold</caption><thead><tr><th colspan="2">Lots</th></tr></thead><tbody><tr><td rowspan="2">10</td><td>1500.50</td></tr></tbody></table>'
  expect(cleanHtml(table)).toBe(table)
  expect(cleanHtml('<td onclick="x" colspan="1e9" rowspan="100" style="color:red">10</td>')).toBe(
    '<td>10</td>',
  )
})

test('joins no two texts that stood apart', () => {
  const apart = [
    '<section>10</section><section>1500.50</section>',
    '<dl><dt>10</dt><dd>1500.50</dd></dl>',
    '<figure>10<figcaption>1500.50</figcaption></figure>',
    '<article>10</article><address>1500.50</address>',
    '<center>10</center><aside>1500.50</aside>',
  ]
  for (const html of apart) expect(cleanHtml(html)).toMatch(/10<\/?p><p>1500\.50|10<p>1500\.50/)
})

test('limits nesting', () => {
  expect(cleanHtml('<blockquote>'.repeat(5_000)).length).toBeLessThan(2_000)
})

test.each([
  ['', true],
  ['<p></p>', true],
  ['<p>&nbsp; \u00a0</p><p><br /></p>', true],
  ['<p>.</p>', false],
  ['<img src="/files/abcdefgh.png" />', false],
])('%j is blank: %s', (html, isBlank) => {
  expect(isBlankHtml(html)).toBe(isBlank)
})
