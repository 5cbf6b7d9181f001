// Entry point of a child process that typesets one statement as PDF and exits.
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { StatementDocument } from './statement-document.ts'
import type { PdfAnswer } from './statement-pdf.ts'

// Prices and orders have priority.
setPriority(constants.priority.PRIORITY_LOW)

const TEMPLATE = readFileSync(new URL('./statement.typ', import.meta.url), 'utf8')

/** A file of a package. The fonts are under the SIL Open Font License 1.1, whose text the packages contain. */
const inPackage = (main: string, path: string): string => fileURLToPath(new URL(path, main))
const google = (main: string, path: (weight: string) => string): string[] =>
  ['400Regular', '700Bold'].map((weight) => inPackage(main, `./${weight}/${path(weight)}`))
const noto = (main: string, name: string): string[] =>
  ['Regular', 'Bold'].map((weight) => inPackage(main, `../fonts/${name}-${weight}.otf`))

const FONT_FILES = [
  ...google(import.meta.resolve('@expo-google-fonts/ibm-plex-sans'), (weight) => `IBMPlexSans_${weight}.ttf`),
  ...google(
    import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic'),
    (weight) => `IBMPlexSansArabic_${weight}.ttf`,
  ),
  ...google(
    import.meta.resolve('@expo-google-fonts/noto-sans-thai'),
    (weight) => `NotoSansThai_${weight}.ttf`,
  ),
  ...noto(import.meta.resolve('@embedpdf/fonts-tc'), 'NotoSansHant'),
  ...noto(import.meta.resolve('@embedpdf/fonts-sc'), 'NotoSansHans'),
  ...noto(import.meta.resolve('@embedpdf/fonts-jp'), 'NotoSansJP'),
  ...noto(import.meta.resolve('@embedpdf/fonts-kr'), 'NotoSansKR'),
]

/** A Chinese character looks different in each country that uses it: the reader's font comes first. */
const HAN = {
  tc: 'Noto Sans T Chinese',
  sc: 'Noto Sans S Chinese',
  ja: 'Noto Sans Japanese',
  ko: 'Noto Sans Korean',
}
const HAN_FIRST: Readonly<Record<string, string>> = { ja: HAN.ja, ko: HAN.ko }

function fontsFor(language: string): string[] {
  const first = HAN_FIRST[language] ?? HAN.tc
  const others = Object.values(HAN).filter((family) => family !== first)
  return ['IBM Plex Sans', 'IBM Plex Sans Arabic', 'Noto Sans Thai', first, ...others]
}

function pdfOf(document: StatementDocument): PdfAnswer {
  const compiler = NodeCompiler.create({
    fontArgs: [{ fontBlobs: FONT_FILES.map((file) => readFileSync(file)) }],
  })
  const [lang = 'en', region = null] = document.tag.split('-')
  const data = JSON.stringify({ ...document, lang, region, fonts: fontsFor(lang) })
  const { result, takeDiagnostics } = compiledBy(compiler, data)
  return result ? { pdf: compiler.pdf(result) } : { problem: JSON.stringify(takeDiagnostics()) }
}

function compiledBy(compiler: NodeCompiler, data: string) {
  const done = compiler.compile({ mainFileContent: TEMPLATE, inputs: { data } })
  return { result: done.result, takeDiagnostics: () => done.takeDiagnostics()?.shortDiagnostics }
}

process.once('message', (document: StatementDocument) => {
  process.send?.(pdfOf(document))
})
