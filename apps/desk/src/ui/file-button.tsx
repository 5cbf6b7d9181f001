import { Button } from '@fairlot/ui/button.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { fetchFile } from '../live/request.ts'

type FileButtonProps = {
  /** Of the server, with its query. */
  path: string
  /** What the file is called on this machine. */
  fileName: string
  label: string
}

/** Saves a file of the server. The session's key goes with the call, so a link alone is worth nothing. */
export function FileButton({ path, fileName, label }: FileButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    setIsBusy(true)
    try {
      saveAs(await fetchFile(path), fileName)
    } catch (error) {
      showToast({ text: (error as Error).message, tone: 'problem' })
    }
    setIsBusy(false)
  }
  return (
    <Button tone="outline" size="small" isBusy={isBusy} onClick={() => void save()}>
      <Icon of={Download} size={16} />
      {label}
    </Button>
  )
}

function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(link.href)
}
