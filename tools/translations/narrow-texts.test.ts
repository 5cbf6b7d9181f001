import { expect, test } from 'vitest'
import { treeOf } from '../architecture/tree.ts'
import { limitsIn } from './checked-texts.ts'
import { limitsOf } from './narrow-texts.ts'

const KEYS = ['tabs.label', 'tabs.news', 'order.close', 'order.keep', 'order.title', 'order.ask', 'app.done']

test('texts of tabs and buttons have limits, those beside another button lower ones', () => {
  const tree = treeOf({
    'apps/web/src/features/order.tsx': `
      const t = useTranslations('order')
      export const a = <div><h2>{t('title')}</h2><Button aria-label={t('ask')}>{t('close')}</Button></div>
      export const b = <ButtonRow><Button>{t(isBusy ? 'keep' : 'close')}</Button></ButtonRow>`,
    'apps/web/src/ui/done.tsx': `const t = useTranslations()\nexport const c = <Button>{t('app.done')}</Button>`,
  })
  expect(Object.fromEntries([...limitsOf(tree, KEYS)].map(([key, { most }]) => [key, most]))).toEqual({
    'tabs.news': 10,
    'order.keep': 20,
    'order.close': 20,
    'app.done': 32,
  })
})

test('the buttons of the app are found', () => {
  const limits = limitsIn('web')
  expect(limits.size).toBeGreaterThan(60)
  expect(limits.get('order.cancelOrder')?.most).toBe(20)
  expect(limits.get('tabs.markets')?.most).toBe(10)
})
