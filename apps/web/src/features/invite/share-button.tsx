import { Button } from '@fairlot/ui/button.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Share2 } from 'lucide-react'
import { useTranslations } from 'use-intl'

/** Hands the link to another app; not there where the browser cannot, as over plain http. */
export function ShareButton({ url }: { url: string }) {
  const t = useTranslations()
  const shared = { title: t('app.name'), text: t('invite.shareText'), url }
  // Old browsers have neither of the two.
  if (typeof navigator.share !== 'function' || navigator.canShare?.(shared) === false) return null
  return (
    <Button
      onClick={() => {
        // Whoever changes their mind, and a browser that will not, leave all as it was: the link can still be copied.
        navigator.share(shared).catch(() => undefined)
      }}
    >
      <Icon of={Share2} size={16} />
      {t('invite.share')}
    </Button>
  )
}
