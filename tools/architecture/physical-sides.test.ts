import { expect, test } from 'vitest'
import { ROOT } from '../check/run.ts'
import { isTest, readTree } from './tree.ts'

/** Classes and properties that name left or right: in Arabic they would stay where they are. */
const PHYSICAL =
  /(?<![\w-])-?(?:(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-[lr]|rounded-[tb][lr]|scroll-[mp][lr])-(?:\d|\[|px|auto|full|field|card|sheet)|(?:text|float|clear)-(?:left|right)(?![\w-])|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?=[:-])|(?:marginLeft|marginRight|paddingLeft|paddingRight)\b|text-align:\s*(?:left|right))[^\s'"`]*/g

/** What keeps its side in every language, with the reason. */
const RIGHTLY: Readonly<Record<string, string>> = {
  'apps/web/src/app/shell.tsx pr-[env(safe-area-inset-right)]': 'the edge of a device',
  'apps/web/src/app/shell.tsx pl-[env(safe-area-inset-left)]': 'the edge of a device',
  'apps/web/src/features/market/chart/chart-canvas.tsx right-16':
    'a chart runs from left to right everywhere',
}

const physicalIn = (text: string): string[] => text.match(PHYSICAL) ?? []

test('left and right are recognized in classes and styles, and nothing else is', () => {
  const wrong = 'ml-2 -mr-px pl-[3px] left-0 right-1/2 text-left float-right rounded-l-card border-r-2'
  expect(physicalIn(wrong)).toHaveLength(9)
  expect(physicalIn('margin-left: 1px; text-align: right; padding-right: 0')).toHaveLength(3)
  expect(physicalIn('ms-2 pe-1 start-0 text-start me-auto html-5 t.left priceAxis: right, bright-1')).toEqual(
    [],
  )
})

test('screens name no side of the page but its start and its end', () => {
  const screens = [...readTree(ROOT).values()].filter(
    ({ path }) => /^(apps\/web|packages\/ui)\/src\/.*\.(tsx|css)$/.test(path) && !isTest(path),
  )
  expect(screens.length).toBeGreaterThan(200)
  const found = screens.flatMap(({ path, text }) => physicalIn(text).map((name) => `${path} ${name}`))
  expect(found.toSorted()).toEqual(Object.keys(RIGHTLY).toSorted())
})
