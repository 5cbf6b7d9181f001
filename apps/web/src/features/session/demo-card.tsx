import { useTranslations } from 'use-intl'
import { useSpeech } from '../../i18n/provider.tsx'
import { useBasicInfo } from '../../live/account.ts'
import { useHasDemo } from '../../live/demo.ts'
import { Card } from '../../ui/card.tsx'
import { DemoButton } from './demo-button.tsx'

/** What the demo is; or the way back to the one of this device. */
export function DemoCard({ onStarted }: { onStarted: () => void }) {
  const t = useTranslations('session')
  const { figures } = useSpeech()
  const info = useBasicInfo()
  const hasDemo = useHasDemo()
  const plain = info
    ? t('demoText', { amount: `${figures.money(info.demoBalance)} ${info.currency}` })
    : t('demoTextPlain')
  return (
    <Card>
      <h2 className="font-bold">{t(hasDemo ? 'demoAgainTitle' : 'demoTitle')}</h2>
      <p className="mt-1 mb-4 text-note text-second">{hasDemo ? t('demoAgainText') : plain}</p>
      <DemoButton isWide tone="outline" onStarted={onStarted} />
      <p className="mt-3 text-center text-tiny text-second">{t('demoNote')}</p>
    </Card>
  )
}
