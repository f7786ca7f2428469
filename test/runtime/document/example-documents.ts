/** A document with the current field names and every field that both directions need. */
export const currentDocument = `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: orders
spec:
  type: bindings.cloud.eventgrid
  version: v1
  metadata:
  - name: direction
    value: "input, output"
  - name: cloudTenantId
    value: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11"
  - name: cloudSubscriptionId
    value: "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2"
  - name: cloudClientId
    value: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07"
  - name: cloudClientSecret
    value: "a-secret-that-no-message-may-show"
  - name: subscriberEndpoint
    value: "https://orders.example.com/api/events"
  - name: handshakePort
    value: "9000"
  - name: scope
    value: "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders"
  # The output direction
  - name: topicEndpoint
    value: >-
      https://orders.westeurope-1.eventgrid.azure.net/api/events
  - name: accessKey
    value: "a-key-that-no-message-may-show"

`;

/** The document with an entry of the metadata added as line 32. */
export function withLine(line: string): string {
  return `${currentDocument}  ${line}\n`;
}

/** The document without some of its lines. */
export function withoutLine(line: string): string {
  return currentDocument.replace(`${line}\n`, "");
}
