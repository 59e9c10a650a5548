import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import type { DeviceLine } from "../sessions.server.ts";

export function DeviceList({ devices }: { devices: DeviceLine[] }) {
  return (
    <ul className="account-rows">
      {devices.map(({ id, device, since, lastUsed, isThisOne }) => (
        <li key={id}>
          <span>
            <span className="font-medium">{device}</span>
            {isThisOne && <span className="text-sage"> – this device</span>}
            <span className="account-remark">Signed in on {since}</span>
            {!isThisOne && <span className="account-remark">Last used on {lastUsed}</span>}
          </span>
          {!isThisOne && (
            <Form method="post">
              <input type="hidden" name="session" value={id} />
              <Button type="submit" variant="ghost" size="sm">
                Sign out
                <span className="sr-only">
                  : {device}, last used on {lastUsed}
                </span>
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
