import { CallError, UPLOAD } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { ImageField } from '@fairlot/ui/image-field.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { failureText } from '../../../live/requests/failure-text.ts'
import { sendPicture } from '../../../live/requests/upload.ts'

const MEGABYTE = 1024 * 1024

type ProofFieldProps = { problem: string | undefined; onChange: (proof: string | null) => void }

/** A picture of the transfer, sent away as soon as it is chosen. */
export function ProofField({ problem, onChange }: ProofFieldProps) {
  const t = useTranslations()
  const { figures } = useLocale()
  const most = figures.count(UPLOAD.bytesMax / MEGABYTE)
  return (
    <ImageField
      label={t('payments.proof')}
      hint={t('payments.proofHint')}
      problem={problem}
      words={{
        choose: t('payments.proofChoose'),
        takePhoto: t('payments.proofPhoto'),
        remove: t('payments.proofRemove'),
        sending: t('payments.proofSending'),
        percent: (part) => `${figures.count(Math.round(part * 100))}%`,
        sent: t('payments.proofSent'),
        tooLarge: t('payments.proofTooLarge', { most }),
      }}
      types={UPLOAD.types}
      bytesMax={UPLOAD.bytesMax}
      send={sendPicture}
      onChange={onChange}
      problemOf={(error) =>
        error instanceof CallError
          ? failureText(error.failure, (key, values) => t(`app.${key}`, values))
          : t('payments.proofFailed')
      }
    />
  )
}
